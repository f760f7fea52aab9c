// What the protocol has no words for, as commands: they ask, and hand the answer to the adapter.

import * as vscode from "vscode";

import { showLink } from "./device";
import { showPage } from "./page";
import { lines, Row } from "./tree";

type Command = (session: vscode.DebugSession) => Promise<void>;

const COMMANDS: Record<string, Command> = {
  mock: async (session) => {
    const names = await session.customRequest("mw/request", { request: "names" });
    const inputs: string[] = names.data.inputs;
    const call = await vscode.window.showQuickPick(inputs, { title: "Which input?" });
    if (call === undefined) {
      return;
    }
    const exact = await ask("Calls with which arguments? Leave it as it is for any.", call);
    const value = exact && (await ask(`What does ${exact} return?`));
    if (exact && value) {
      await session.customRequest("mw/mock", { call: exact, value });
    }
  },
  slide: async (session) => {
    const to = await ask("Where to? A bookmark, a node (1.3), 1.3+20, a count, start or end.");
    if (to) {
      await session.customRequest("mw/slide", { to });
    }
  },
  suggest: async (session) => {
    const found = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: "Looking for other universes" },
      () => session.customRequest("mw/suggest", {}),
    );
    if (found.withheld > 0) {
      const [all, few] = ["Add all", "Add the first 50"];
      const question = `This would add ${found.withheld} paths.`;
      const chosen = await vscode.window.showInformationMessage(question, { modal: true }, all, few);
      if (chosen === undefined) {
        return;
      }
      const limit = chosen === few ? 50 : null;
      await session.customRequest("mw/request", { request: "add-suggested", limit });
      return showTree(session);
    }
    const count: number = found.leaves.length;
    const paths = count === 1 ? "1 path" : `${count} paths`;
    const all = found.complete ? "that is all" : "there are more";
    void vscode.window.showInformationMessage(`${paths} from here; ${all}.`);
    await showTree(session);
  },
  showTree,
  bookmark: async (session) => {
    const name = await ask("What is this place called?");
    if (name) {
      await session.customRequest("mw/request", { request: "bookmark", name });
    }
  },
  stepInBack: async (session) => {
    await session.customRequest("mw/stepInBack", { threadId: 1 });
  },
  stepOutBack: async (session) => {
    await session.customRequest("mw/stepOutBack", { threadId: 1 });
  },
  nextTurn: async (session) => {
    await session.customRequest("mw/nextTurn", {});
  },
  previousTurn: async (session) => {
    await session.customRequest("mw/previousTurn", {});
  },
  giveTurn: async (session) => {
    const { next } = await actors(session);
    const turns = next.map(({ label, key }) => ({ label, key }));
    const chosen = await vscode.window.showQuickPick(turns, { title: "Who has the next turn?" });
    if (chosen !== undefined) {
      await session.customRequest("mw/giveTurn", { next: chosen.key });
    }
  },
  pauseActor: (session) => pause(session, false),
  resumeActor: (session) => pause(session, true),
  showPage,
  showLink,
};

/** What there is of the reply to `mw/actors` here; there is more in it than this. */
interface Actors {
  actors: { id: number; name: string; standing: string; paused: boolean }[];
  next: { key: string; label: string }[];
}

async function actors(session: vscode.DebugSession): Promise<Actors> {
  const found: Actors = await session.customRequest("mw/actors");
  if (found.actors.length === 0) {
    throw new Error("This program is not made of actors.");
  }
  return found;
}

/** Lets one of those who go on wait, or one of those who wait go on. */
async function pause(session: vscode.DebugSession, paused: boolean): Promise<void> {
  const fitting = (await actors(session)).actors.filter((actor) => actor.paused === paused);
  const items = fitting.map(({ id, name, standing }) => ({ id, label: name, description: standing }));
  const title = paused ? "Who may go on?" : "Who is to wait?";
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (chosen !== undefined) {
    await session.customRequest(paused ? "mw/resumeActor" : "mw/pauseActor", { actor: chosen.id });
  }
}

async function showTree(session: vscode.DebugSession): Promise<void> {
  const tree: { rows: Row[] } = await session.customRequest("mw/tree");
  const chosen = await vscode.window.showQuickPick(lines(tree.rows), {
    title: "The multiverse: slide to…",
    matchOnDescription: true,
  });
  if (chosen !== undefined) {
    await session.customRequest("mw/slide", { to: chosen.place });
  }
}

function ask(prompt: string, value?: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({ prompt, value });
}

/** Registers the commands. What the adapter refuses is shown to the person. */
export function registerCommands(): vscode.Disposable {
  const registered = Object.entries(COMMANDS).map(([name, command]) =>
    vscode.commands.registerCommand(`manyworlds.${name}`, async () => {
      const session = vscode.debug.activeDebugSession;
      if (session?.type !== "manyworlds") {
        void vscode.window.showInformationMessage("No program is being debugged by Manyworlds.");
        return;
      }
      try {
        await command(session);
      } catch (error) {
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : `${error}`);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
