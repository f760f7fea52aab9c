/** Draws the multiverse. Lines of one colour are one path, so that many cost little. */
import { CHOICES, COLUMN, ROW, toScreen, visible } from "./camera";
import { cull } from "./cull";
import { drawGlyph, drawHere, drawHit, drawStar, drawVerdict, drawViolation } from "./glyphs";
import { drawAfar, drawHeadings, drawLabels, isRoomy } from "./labels";
import { along } from "./model";
import type { Palette } from "./palette";
import { START, edgeTo, pointOn, xOf, yOf, type Scene } from "./scene";

/** From so many pixels per row on, nodes have shapes. */
const SHAPES = 13;

/** `far` is suggested, too, but too long for dashes: each of them costs, also those that nobody sees. */
type Style = "visited" | "suggested" | "far" | "altered" | "failed" | "way" | "back" | "on";

const ORDER: readonly Style[] = ["far", "suggested", "visited", "altered", "failed", "way", "back", "on"];

export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { size, palette, camera } = scene;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, size.width, size.height);
  const paths = new Map<Style, Path2D>(ORDER.map((style) => [style, new Path2D()]));
  const bundles = { visited: new Path2D(), suggested: new Path2D() };
  const nodes: number[] = [];
  const { shape } = scene.shown;
  cull(shape, scene.placement, visible(camera, size), camera, {
    node(node) {
      nodes.push(node);
      addEdge(paths.get(styleOf(scene, node))!, scene, node);
    },
    bundle(node) {
      addEdge(paths.get(styleOf(scene, node))!, scene, node);
      // What was not visited has nothing below it that was.
      const { visited } = scene.model.items[scene.shown.items[node]!]!;
      addBundle(visited ? bundles.visited : bundles.suggested, scene, node);
    },
  });
  context.globalAlpha = 0.55;
  for (const kind of ["suggested", "visited"] as const) {
    context.fillStyle = palette[kind];
    context.fill(bundles[kind]);
  }
  context.globalAlpha = 1;
  const thick = Math.max(0.6, Math.min(1.6, camera.zoom * 1.8));
  for (const style of ORDER) stroke(context, paths.get(style)!, style, palette, thick);
  const rowPixels = ROW * camera.zoom;
  if (rowPixels >= SHAPES) {
    for (const node of nodes) {
      drawGlyph(context, scene, node);
      drawVerdict(context, scene, node);
    }
    if (rowPixels >= CHOICES) for (const node of nodes) drawLabels(context, scene, node);
    for (const node of nodes) {
      for (const at of violationsOf(scene, node)) drawViolation(context, palette, at.x, at.y);
      for (const hit of hitsOf(scene, node)) drawHit(context, palette, hit.x, hit.y, hit.isAtNode);
      for (const mark of marksOf(scene, node)) drawStar(context, palette, mark.x, mark.y);
    }
  } else {
    drawDots(context, scene, nodes);
    for (const node of nodes) if (isRoomy(scene, node)) drawAfar(context, scene, node);
  }
  drawRoot(context, scene);
  if (scene.here !== null) {
    const at = onEdge(scene, scene.here.node, scene.here.along);
    const { kind } = scene.model.items[scene.shown.items[scene.here.node]!]!;
    const isAtEnd = scene.here.along > 0.95 && (kind === "failed" || kind === "finished");
    drawHere(context, palette, at.x, at.y, camera.zoom, isAtEnd);
  }
  if (rowPixels >= CHOICES) drawHeadings(context, scene);
}

function styleOf(scene: Scene, node: number): Style {
  const journey = scene.journey.get(node);
  if (journey !== undefined) return journey === 1 ? "back" : "on";
  if (scene.way[node] === 1) return "way";
  const item = scene.model.items[scene.shown.items[node]!]!;
  if (!item.visited) return isFar(scene, node) ? "far" : "suggested";
  if (item.altered) return "altered";
  return item.kind === "failed" ? "failed" : "visited";
}

function isFar(scene: Scene, node: number): boolean {
  const above = scene.shown.shape.parent[node]!;
  if (above < 0) return false;
  return Math.abs(yOf(scene, node) - yOf(scene, above)) * scene.camera.zoom > scene.size.height;
}

function stroke(context: CanvasRenderingContext2D, path: Path2D, style: Style, palette: Palette, thick: number): void {
  const colours: Record<Style, string> = {
    visited: palette.visited,
    suggested: palette.suggested,
    far: palette.suggested,
    altered: palette.altered,
    failed: palette.trap,
    way: palette.way,
    back: palette.trap,
    on: palette.here,
  };
  const isStrong = style === "way" || style === "back" || style === "on";
  context.strokeStyle = colours[style];
  context.lineWidth = isStrong ? thick * 1.7 : thick;
  context.globalAlpha = isStrong || style === "failed" ? 1 : 0.75;
  context.setLineDash(style === "suggested" && thick > 1 ? [5, 4] : []);
  context.stroke(path);
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function addEdge(path: Path2D, scene: Scene, node: number): void {
  const { camera } = scene;
  const tree = edgeTo(scene, node);
  const from = toScreen(camera, tree.from.x, tree.from.y);
  const bend = toScreen(camera, tree.bend.x, tree.bend.y);
  path.moveTo(from.x, from.y);
  if (from.y !== bend.y) {
    const half = (bend.x - from.x) * 0.55;
    path.bezierCurveTo(from.x + half, from.y, bend.x - half, bend.y, bend.x, bend.y);
  }
  path.lineTo(toScreen(camera, xOf(scene, node), 0).x, bend.y);
}

function addBundle(path: Path2D, scene: Scene, node: number): void {
  const { placement, camera } = scene;
  const from = toScreen(camera, xOf(scene, node), placement.top[node]! * ROW);
  const to = toScreen(camera, placement.reach[node]! * COLUMN, placement.bottom[node]! * ROW);
  path.rect(from.x, from.y, Math.max(1, to.x - from.x), Math.max(1, to.y - from.y));
}

/** The point of an edge at a part of its length, on the screen. */
function onEdge(scene: Scene, node: number, part: number): { x: number; y: number } {
  const { x, y } = pointOn(scene, node, part);
  return toScreen(scene.camera, x, y);
}

/** Where breakpoints have stopped the program, on the screen. */
function hitsOf(scene: Scene, node: number): { x: number; y: number; isAtNode: boolean }[] {
  const item = scene.model.items[scene.shown.items[node]!]!;
  return item.hits.map((count) => {
    const part = along(item, count);
    return { ...onEdge(scene, node, part), isAtNode: part > 0.95 };
  });
}

/** Where properties come to be violated within the edge, on the screen; at its end, its node tells it. */
function violationsOf(scene: Scene, node: number): { x: number; y: number }[] {
  const at = scene.shown.items[node]!;
  const changes = scene.verdicts?.changes.get(at) ?? [];
  return changes
    .filter(({ verdict }) => verdict === "violated")
    .map(({ place }) => along(scene.model.items[at]!, place.count))
    .filter((part) => part < 0.95)
    .map((part) => onEdge(scene, node, part));
}

function marksOf(scene: Scene, node: number): { x: number; y: number }[] {
  const item = scene.model.items[scene.shown.items[node]!]!;
  return item.bookmarks.map(([, after]) => onEdge(scene, node, along(item, item.count + after)));
}

function drawRoot(context: CanvasRenderingContext2D, scene: Scene): void {
  if (scene.shown.shape.size === 0) return;
  const { camera, palette } = scene;
  const at = toScreen(camera, START, yOf(scene, 0));
  context.fillStyle = palette.way;
  context.beginPath();
  context.arc(at.x, at.y, Math.max(2, 5 * Math.min(1, camera.zoom)), 0, Math.PI * 2);
  context.fill();
}

/** From afar only what matters has a dot: what failed or violates a property, what was found, what is chosen. */
function drawDots(context: CanvasRenderingContext2D, scene: Scene, nodes: readonly number[]): void {
  const { palette, camera } = scene;
  const failed = new Path2D();
  const found = new Path2D();
  for (const node of nodes) {
    const isFound = scene.found.has(node) || scene.selected === node;
    const item = scene.model.items[scene.shown.items[node]!]!;
    const isWrong = item.kind === "failed" || scene.verdicts?.at[scene.shown.items[node]!] === "violated";
    if (!isFound && !isWrong) continue;
    const at = toScreen(camera, xOf(scene, node), yOf(scene, node));
    (isFound ? found : failed).rect(at.x - 1.5, at.y - 1.5, 3, 3);
  }
  context.fillStyle = palette.trap;
  context.fill(failed);
  context.fillStyle = palette.here;
  context.fill(found);
}
