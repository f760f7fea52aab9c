// Manyworlds in VS Code: `mw dap` is the debug adapter, everything else here is about what the
// protocol has no words for. There is no debugger logic in this folder.

import * as vscode from "vscode";

import { registerCommands } from "./commands";
import { noteDevices } from "./device";
import { notePages } from "./page";

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("manyworlds", { createDebugAdapterDescriptor }),
    vscode.debug.registerDebugConfigurationProvider("manyworlds", { resolveDebugConfiguration }),
    registerCommands(),
    notePages(),
    noteDevices(),
  );
}

const settings = () => vscode.workspace.getConfiguration("manyworlds");

/** The port of an adapter that somebody has started, if there is one to connect to. */
function port(): number | undefined {
  return settings().get<number | null>("port") ?? undefined;
}

function createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
  const given = port();
  if (given !== undefined) {
    return new vscode.DebugAdapterServer(given);
  }
  return new vscode.DebugAdapterExecutable(settings().get<string>("path") || "mw", ["dap"]);
}

/** The secret that was given last, to be confirmed. */
let secret = "";

/**
 * Adds what an editor knows. The folder that is open, and trusted, is one to read source from. An
 * adapter on a port wants the secret that it printed; without one, nothing is launched.
 */
async function resolveDebugConfiguration(
  folder: vscode.WorkspaceFolder | undefined,
  configuration: vscode.DebugConfiguration,
): Promise<vscode.DebugConfiguration | undefined> {
  if (folder !== undefined && configuration.sourceDirs === undefined) {
    configuration.sourceDirs = [folder.uri.fsPath];
  }
  if (port() !== undefined && configuration.secret === undefined) {
    const prompt = `The secret that \`mw dap --port ${port()}\` printed`;
    const given = await vscode.window.showInputBox({ prompt, value: secret, password: true, ignoreFocusOut: true });
    if (given === undefined) {
      return undefined;
    }
    secret = given.trim();
    configuration.secret = secret;
  }
  return configuration;
}
