// VS Code's own test client drives `mw dap`. The program is named by MW; `cargo xtask test dap`
// builds it and says where it is.

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, test } = require("node:test");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const MW = process.env.MW;
assert.ok(MW, "MW names the program mw");
const ROOT = path.resolve(__dirname, "../../..");
const example = (name, extension) => path.join(ROOT, "examples", name, `${name}.${extension}`);
const LIGHT = example("light-sensor", "wasm");
const LIGHT_SOURCE = example("light-sensor", "ts");
const SHELF = path.join(ROOT, "crates/source/tests/fixtures/shelf-O0.wasm");
const SHELF_SOURCE = path.join(ROOT, "crates/source/tests/fixtures/shelf.c");
const WEIGH = { program: SHELF, entry: "weigh", args: ["1056", "50"] };
const threadId = 1;

/** A test with a client and an adapter of its own. */
function clientTest(name, body) {
  test(name, async () => {
    const client = new DebugClient(MW, "dap", "manyworlds");
    await client.start();
    try {
      await body(client);
    } finally {
      await client.stop();
    }
  });
}

/** Launches a program with breakpoints; resolves when it has stopped. */
async function launch(client, launchArguments, source, breakpoints = []) {
  const configured = client.waitForEvent("initialized").then(async () => {
    if (source) {
      await client.setBreakpointsRequest({ source: { path: source }, breakpoints });
    }
    await client.configurationDoneRequest();
  });
  const stopped = client.waitForEvent("stopped");
  await Promise.all([client.launch(launchArguments), configured]);
  return (await stopped).body;
}

/** Makes a movement; resolves when it has stopped. */
async function move(client, request, more = {}) {
  const stopped = client.waitForEvent("stopped");
  await client.send(request, { threadId, ...more });
  return (await stopped).body;
}

async function frames(client) {
  return (await client.stackTraceRequest({ threadId })).body.stackFrames;
}

async function line(client) {
  const [frame] = await frames(client);
  return `${frame.name}:${frame.line}`;
}

/** The variables of a scope of the innermost frame, as an object of texts. */
async function scope(client, name) {
  const { scopes } = (await client.scopesRequest({ frameId: 0 })).body;
  const { variablesReference } = scopes.find((scope) => scope.name === name);
  const { variables } = (await client.variablesRequest({ variablesReference })).body;
  return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
}

async function value(client, expression, context = "watch") {
  return (await client.evaluateRequest({ expression, frameId: 0, context })).body.result;
}

clientTest("a line breakpoint is hit", (client) =>
  client.hitBreakpoint({ program: LIGHT }, { path: LIGHT_SOURCE, line: 26 }),
);

clientTest("steps back visit the lines of steps forward in the opposite order", async (client) => {
  for (const [forward, back] of [["next", "stepBack"], ["stepIn", "mw/stepInBack"]]) {
    await launch(client, { ...WEIGH, stopOnEntry: true });
    const visited = [await line(client)];
    for (let step = 0; step < 12; step++) {
      await move(client, forward);
      visited.push(await line(client));
    }
    assert.ok(new Set(visited).size > 5, `${visited}`);
    const returned = [await line(client)];
    for (let step = 0; step < 12; step++) {
      const stopped = await move(client, back);
      assert.match(stopped.description, /in the past/);
      returned.push(await line(client));
    }
    assert.deepEqual(returned.reverse(), visited);
  }
});

clientTest("into a call, out of it, and the same backwards", async (client) => {
  await launch(client, WEIGH, SHELF_SOURCE, [{ line: 49 }]);
  await move(client, "stepIn");
  assert.deepEqual((await frames(client)).map((frame) => frame.name), ["heavier", "weigh"]);
  await move(client, "stepOut");
  assert.equal(await line(client), "weigh:50");
  await move(client, "mw/stepInBack");
  assert.equal(await line(client), "heavier:36");
  await move(client, "mw/stepOutBack");
  assert.equal(await line(client), "weigh:49");
  const before = (await frames(client))[0].instructionPointerReference;
  await move(client, "stepIn", { granularity: "instruction" });
  assert.equal(await line(client), "weigh:49");
  await move(client, "stepBack", { granularity: "instruction" });
  assert.equal((await frames(client))[0].instructionPointerReference, before);
});

clientTest("variables are looked at and set, and memory is read and written", async (client) => {
  await launch(client, WEIGH, SHELF_SOURCE, [{ line: 50 }]);
  const { first, jar, ...numbers } = await scope(client, "Locals");
  assert.deepEqual(numbers, { limit: "50", sum: "0", weight: "50" });
  assert.equal(first, jar);
  assert.equal(await value(client, "jar->next->label"), '0x400 "salt"');
  assert.equal(await value(client, "jar->weight + limit", "hover"), "90");
  await assert.rejects(value(client, "nothing"), /there is no nothing here/);
  const { scopes } = (await client.scopesRequest({ frameId: 0 })).body;
  const { variablesReference } = scopes[0];
  await client.setVariableRequest({ variablesReference, name: "weight", value: "1000" });
  assert.equal(await value(client, "weight"), "1000");
  const memory = { memoryReference: "0x400", offset: 0, count: 4 };
  const read = await client.customRequest("readMemory", memory);
  assert.equal(Buffer.from(read.body.data, "base64").toString(), "salt");
  const data = Buffer.from("malt").toString("base64");
  await client.customRequest("writeMemory", { memoryReference: "0x400", data });
  assert.equal(await value(client, "jar->next->label"), '0x400 "malt"');
});

clientTest("conditions, hits and logs", async (client) => {
  const breakpoints = [
    { line: 26, condition: "i == 3" },
    { line: 31, logMessage: "round {i}" },
  ];
  const logged = [];
  client.on("output", ({ body }) => body.category === "console" && logged.push(body.output.trim()));
  await launch(client, { program: LIGHT }, LIGHT_SOURCE, breakpoints);
  assert.equal(await value(client, "i"), "3");
  const read = "read color_sensor(0) = 0";
  assert.deepEqual(logged, [read, "round 0", read, "round 1", read, "round 2", read]);
  const source = { path: LIGHT_SOURCE };
  await client.setBreakpointsRequest({ source, breakpoints: [{ line: 26, hitCondition: "% 3" }] });
  await move(client, "continue");
  assert.equal(await value(client, "i"), "6");
});

clientTest("data breakpoints stop at writes in both directions", async (client) => {
  await launch(client, WEIGH, SHELF_SOURCE, [{ line: 48 }]);
  const { scopes } = (await client.scopesRequest({ frameId: 0 })).body;
  const { variablesReference } = scopes[0];
  const info = await client.dataBreakpointInfoRequest({ variablesReference, name: "sum" });
  const { dataId } = info.body;
  assert.ok(dataId);
  await client.setDataBreakpointsRequest({ breakpoints: [{ dataId }] });
  await client.setBreakpointsRequest({ source: { path: SHELF_SOURCE }, breakpoints: [] });
  for (const sum of ["50", "290"]) {
    assert.equal((await move(client, "continue")).reason, "data breakpoint");
    assert.equal(await value(client, "sum"), sum);
  }
  for (const sum of ["50", "0"]) {
    assert.equal((await move(client, "reverseContinue")).reason, "data breakpoint");
    assert.equal(await value(client, "sum"), sum);
  }
});

clientTest("a trap is an exception", async (client) => {
  const configured = client.waitForEvent("initialized").then(async () => {
    await client.setExceptionBreakpointsRequest({ filters: ["trap"] });
    await client.customRequest("mw/mock", { call: "chip_digital_read(2)", value: "high" });
    await client.customRequest("mw/mock", { call: "chip_analog_read(14)", value: "0" });
    await client.configurationDoneRequest();
  });
  const stopped = client.waitForEvent("stopped");
  await Promise.all([client.launch({ program: example("while", "wasm") }), configured]);
  assert.equal((await stopped).body.reason, "exception");
  const info = await client.exceptionInfoRequest({ threadId });
  assert.match(info.body.description, /divide by zero/);
  assert.equal(await line(client), "while/loop:39");
});

clientTest("a program that does not end is paused, and gone back in", async (client) => {
  await launch(client, { program: example("color-dial", "wasm"), stopOnEntry: true });
  const stopped = client.waitForEvent("stopped");
  await client.continueRequest({ threadId });
  await client.pauseRequest({ threadId });
  assert.equal((await stopped).body.reason, "pause");
  assert.match((await move(client, "stepBack")).description, /in the past/);
  assert.equal((await move(client, "reverseContinue")).place, "0.0");
});

clientTest("mock, suggest, tree, slide, bookmarks", async (client) => {
  await launch(client, { program: LIGHT, stopOnEntry: true });
  const refused = client.customRequest("mw/mock", { call: "color_sensor(0)", value: "1000" });
  await assert.rejects(refused, /not one of the possible values/);
  const found = (await client.customRequest("mw/suggest", { inputs: 1 })).body;
  assert.deepEqual(found.leaves.map((leaf) => leaf.inputs[0].values), ["0..49", "50..100"]);
  const tree = (await client.customRequest("mw/tree")).body;
  const place = tree.rows.at(-1).node;
  assert.equal((await move(client, "mw/slide", { to: place })).place, place);
  assert.match((await client.threadsRequest()).body.threads[0].name, new RegExp(`universe ${place}`));
  await value(client, "bookmark there", "repl");
  assert.equal((await scope(client, "Multiverse")).bookmarks, "1");
  const { lines } = require("../out/tree.js");
  const shown = lines((await client.customRequest("mw/tree")).body.rows);
  assert.deepEqual(shown.map((line) => line.label), [
    "0.0 start",
    "  0.1 color_sensor(0) = 0",
    "  1.1 color_sensor(0) = 50",
  ]);
  assert.match(shown.find((line) => line.place === place).description, /★ there {2}◀ here\+0/);
});

clientTest("actors are threads with stacks of their own", async (client) => {
  const program = example("bad-interleaving", "wasm");
  const source = example("bad-interleaving", "ts");
  const stopped = await launch(client, { program }, source, [{ line: 12 }]);
  const names = async () => (await client.threadsRequest()).body.threads.map(({ name }) => name);
  const [main, math, ...clients] = (await client.threadsRequest()).body.threads;
  assert.equal(main.id, 1);
  assert.equal(stopped.threadId, math.id);
  assert.match(math.name, /^math: double\(\d+\) from client\d$/);
  assert.equal(clients.length, 2);
  const stack = async ({ id }) => (await client.stackTraceRequest({ threadId: id })).body.stackFrames;
  const [frame] = await stack(math);
  assert.equal(`${frame.name}:${frame.line}`, "bad-interleaving/math_double:12");
  const [idle] = await stack(main);
  assert.equal(idle.name, "idle");
  const evaluate = async (expression, { id: frameId }) =>
    (await client.evaluateRequest({ expression, frameId, context: "watch" })).body.result;
  assert.equal(await evaluate("result", frame), "0");
  const done = client.waitForEvent("stopped");
  await client.customRequest("mw/nextTurn", {});
  const { threadId } = (await done).body;
  assert.ok(threadId !== math.id || /getResult|double/.test((await names())[1]));
  assert.match(await evaluate("result", (await stack(math))[0]), /^(24|66)$/);
  assert.equal(await evaluate("result", (await stack(main))[0]), "0");
  await client.customRequest("mw/pauseActor", { actor: "math" });
  assert.match((await names())[1], /, paused$/);
  await client.customRequest("mw/resumeActor", { actor: math.id - 1 });
  assert.doesNotMatch((await names())[1], /, paused$/);
});

clientTest("run to a line and back to one, restart a frame", async (client) => {
  await launch(client, { ...WEIGH, stopOnEntry: true });
  const source = { path: SHELF_SOURCE };
  const targets = async (line) => (await client.gotoTargetsRequest({ source, line })).body.targets;
  await move(client, "goto", { targetId: (await targets(61))[0].id });
  assert.equal(await line(client), "weigh:61");
  await move(client, "goto", { targetId: (await targets(36))[1].id });
  assert.deepEqual((await frames(client)).map((frame) => frame.name), ["heavier", "weigh"]);
  await move(client, "restartFrame", { frameId: 1 });
  assert.deepEqual((await frames(client)).map((frame) => frame.name), ["weigh"]);
});

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "manyworlds-"));
after(() => fs.rmSync(scratch, { recursive: true, force: true }));

clientTest("a kept session is gone on with", async (client) => {
  const session = path.join(scratch, "light.mw");
  const first = new DebugClient(MW, "dap", "manyworlds");
  await first.start();
  const { place } = await launch(first, { program: LIGHT, session }, LIGHT_SOURCE, [{ line: 26 }]);
  await first.stop();
  const configured = client.waitForEvent("initialized").then(() => client.configurationDoneRequest());
  const stopped = client.waitForEvent("stopped");
  await client.initializeRequest();
  await Promise.all([client.attachRequest({ session }), configured]);
  assert.equal((await stopped).body.place, place);
  assert.equal(await line(client), "light-sensor/main:26");
});

clientTest("a program on a device, and its link in the status bar", async (client) => {
  const told = client.waitForEvent("mw/device");
  const device = `exec:${MW} agent --set 'color_sensor(0)=77'`;
  await launch(client, { program: LIGHT, device }, LIGHT_SOURCE, [{ line: 26 }]);
  const { badge, figures, words } = require("../out/link.js");
  const { body } = await told;
  assert.deepEqual([badge(body), words(body.link)], ["$(plug) simulated", "connected"]);
  // What the device reads, not what the world here would.
  assert.equal(await value(client, "light"), "77");
  await move(client, "stepBack");
  assert.equal(await line(client), "light-sensor/main:25");
  const { data } = (await client.customRequest("mw/request", { request: "link" })).body;
  const [sent] = figures(data);
  assert.equal(sent.label, "bytes sent");
  assert.match(sent.description, /^host \d{3,}, device \d{3,}$/);
  assert.equal(badge({ ...body, link: { state: "broken", why: "x" } }), "$(debug-disconnect) simulated broken");
});

test("an adapter on a port serves one client after the other", async () => {
  const server = spawn(MW, ["dap", "--port", "0"]);
  try {
    const [port, secret] = await new Promise((resolve, reject) => {
      server.on("error", reject);
      server.on("exit", (code) => reject(new Error(`mw ended with ${code}`)));
      server.stdout.on("data", (data) => {
        const [, port, secret] = /:(\d+), secret (\w+)/.exec(data);
        resolve([Number(port), secret]);
      });
    });
    for (let round = 0; round < 2; round++) {
      const client = new DebugClient(MW, "dap", "manyworlds");
      await client.start(port);
      await assert.rejects(client.launch({ program: LIGHT }), /secret/);
      await launch(client, { program: LIGHT, secret }, LIGHT_SOURCE, [{ line: 26 }]);
      assert.equal(await line(client), "light-sensor/main:26");
      await client.disconnectRequest();
    }
  } finally {
    server.kill();
  }
});
