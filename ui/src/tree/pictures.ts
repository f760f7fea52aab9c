/** Draws the small pictures of outputs. */
import type { Palette } from "./palette";
import type { Sign } from "./outputs";

const SIZE = 8;
const LETTER = 5.6;

/** Draws signs from a point to the right, as far as there is room; says how far it got. */
export function drawSigns(
  context: CanvasRenderingContext2D,
  palette: Palette,
  signs: readonly Sign[],
  x: number,
  y: number,
  room: number,
): number {
  let used = 0;
  for (const sign of signs) {
    const width = SIZE + 3 + sign.words.length * LETTER + (sign.words === "" ? 0 : 4);
    if (used + width > room) break;
    drawPicture(context, palette, sign, x + used + SIZE / 2, y - 3.5);
    if (sign.words !== "") {
      context.font = `9.5px ${palette.mono}`;
      context.fillStyle = palette.soft;
      context.fillText(sign.words, x + used + SIZE + 3, y);
    }
    used += width;
  }
  return used;
}

function drawPicture(context: CanvasRenderingContext2D, palette: Palette, sign: Sign, x: number, y: number): void {
  const half = SIZE / 2;
  context.lineWidth = 1.2;
  context.strokeStyle = palette.soft;
  context.beginPath();
  switch (sign.picture) {
    case "on":
    case "off":
      context.arc(x, y, half - 0.5, 0, Math.PI * 2);
      context.fillStyle = palette.here;
      if (sign.picture === "on") context.fill();
      context.strokeStyle = sign.picture === "on" ? palette.here : palette.faint;
      break;
    case "turn":
      context.arc(x, y, half - 0.5, -Math.PI * 0.4, Math.PI * 1.1);
      context.moveTo(x, y);
      context.lineTo(x + half - 1, y - half + 1);
      break;
    case "text":
      for (const line of [-2.5, 0, 2.5]) {
        context.moveTo(x - half, y + line);
        context.lineTo(x + (line === 2.5 ? 1 : half), y + line);
      }
      break;
    case "wait":
      context.arc(x, y, half - 0.5, 0, Math.PI * 2);
      context.moveTo(x, y - 2);
      context.lineTo(x, y);
      context.lineTo(x + 2, y);
      break;
    case "picture":
      context.rect(x - half, y - half + 1, SIZE, SIZE - 2);
      break;
    case "sound":
      context.arc(x - 1.5, y + 2, 1.8, 0, Math.PI * 2);
      context.moveTo(x + 0.3, y + 2);
      context.lineTo(x + 0.3, y - half);
      context.lineTo(x + 3, y - half + 1.5);
      break;
    case "other":
      context.arc(x, y, 1.6, 0, Math.PI * 2);
      break;
  }
  context.stroke();
}
