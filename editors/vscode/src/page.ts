// The page of a session in a panel, when the debugger has one.

import * as vscode from "vscode";

/** The addresses of pages by the ids of their sessions. */
const pages = new Map<string, string>();

/** Listens for the event that says where the page is; a debugger without a page sends none. */
export function notePages(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.debug.onDidReceiveDebugSessionCustomEvent((event) => {
      const url: unknown = event.body?.url;
      if (event.event === "mw/page" && typeof url === "string") {
        pages.set(event.session.id, url);
      }
    }),
    vscode.debug.onDidTerminateDebugSession((session) => pages.delete(session.id)),
  );
}

/** Shows the page of a session. */
export async function showPage(session: vscode.DebugSession): Promise<void> {
  const url = pages.get(session.id);
  if (url === undefined) {
    void vscode.window.showInformationMessage("This session has no page.");
    return;
  }
  const address = (await vscode.env.asExternalUri(vscode.Uri.parse(url))).toString(true);
  const panel = vscode.window.createWebviewPanel(
    "manyworlds.page",
    `Manyworlds: ${session.name}`,
    vscode.ViewColumn.Beside,
    { enableScripts: true, retainContextWhenHidden: true },
  );
  panel.webview.html = html(address);
}

/** A document with nothing but the page in it. */
function html(address: string): string {
  const origin = new URL(address).origin;
  const source = address.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  const policy = `default-src 'none'; frame-src ${origin}; style-src 'unsafe-inline'`;
  return `<!DOCTYPE html>
<html>
<head>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>html, body, iframe { border: 0; height: 100%; margin: 0; padding: 0; width: 100%; }</style>
</head>
<body><iframe src="${source}" title="Manyworlds"></iframe></body>
</html>`;
}
