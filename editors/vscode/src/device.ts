// The device of a session in the status bar, with the state of its link.

import * as vscode from "vscode";

import { badge, Device, figures, Link, words } from "./link";

/** The devices by the ids of their sessions. */
const devices = new Map<string, Device>();

/** Listens for the event that says how the link is; a session without a device sends none. */
export function noteDevices(): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("manyworlds.device", vscode.StatusBarAlignment.Left);
  item.name = "Manyworlds: device";
  item.command = "manyworlds.showLink";
  const show = () => {
    const device = devices.get(vscode.debug.activeDebugSession?.id ?? "");
    if (device === undefined) {
      item.hide();
      return;
    }
    const state = words(device.link);
    item.text = badge(device);
    item.tooltip = `${device.name} at ${device.address}: ${state}`;
    item.accessibilityInformation = { label: `Device ${device.name}: ${state}` };
    const isBroken = device.link.state === "broken";
    item.backgroundColor = isBroken ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
    item.show();
  };
  return vscode.Disposable.from(
    item,
    vscode.debug.onDidReceiveDebugSessionCustomEvent((event) => {
      if (event.event === "mw/device") {
        devices.set(event.session.id, event.body);
        show();
      }
    }),
    vscode.debug.onDidChangeActiveDebugSession(show),
    vscode.debug.onDidTerminateDebugSession((session) => {
      devices.delete(session.id);
      show();
    }),
  );
}

/** Shows the figures of both sides of the link. */
export async function showLink(session: vscode.DebugSession): Promise<void> {
  const { data }: { data: Link } = await session.customRequest("mw/request", { request: "link" });
  await vscode.window.showQuickPick(figures(data), { title: `The link is ${words(data.link)}` });
}
