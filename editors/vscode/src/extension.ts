// Manyworlds in VS Code: `mw dap` is the debug adapter, everything else here is about what the
// protocol has no words for. There is no debugger logic in this folder.

import * as vscode from "vscode";

import { registerCommands } from "./commands";
import { noteDevices } from "./device";
import { notePages } from "./page";

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("manyworlds", { createDebugAdapterDescriptor }),
    registerCommands(),
    notePages(),
    noteDevices(),
  );
}

function createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
  const settings = vscode.workspace.getConfiguration("manyworlds");
  const port = settings.get<number | null>("port");
  if (typeof port === "number") {
    return new vscode.DebugAdapterServer(port);
  }
  return new vscode.DebugAdapterExecutable(settings.get<string>("path") || "mw", ["dap"]);
}
