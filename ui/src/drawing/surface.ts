/** A canvas that fills its host and is painted at most once a frame, whatever is drawn on it. */
import { effect, signal, type Signal } from "@preact/signals";
import { theme } from "../state/preferences";
import type { Size } from "../tree/camera";
import { readPalette, type Palette } from "../tree/palette";

/** What is called for what a person does. */
export type Handlers = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };

export interface Surface<Scene> {
  /** How large it is; nothing until it is laid out. */
  readonly size: Signal<Size>;
  /** The colours of the scheme. */
  readonly palette: Signal<Palette>;
  /** Draws this with the next frame. */
  show(scene: Scene): void;
  /** Has these called for what a person does. */
  listen(handlers: Handlers): void;
  /** Does something whenever one of the signals that it reads changes. */
  effect(does: () => void): void;
  /** Ends all of it. */
  close(): void;
}

export function surface<Scene>(
  host: HTMLElement,
  canvas: HTMLCanvasElement,
  draw: (context: CanvasRenderingContext2D, scene: Scene) => void,
): Surface<Scene> {
  const context = canvas.getContext("2d", { alpha: false })!;
  const size = signal<Size>({ width: 0, height: 0 });
  const palette = signal(readPalette(host));
  const ends: (() => void)[] = [];
  let frame = 0;
  let shown: Scene | null = null;

  const paint = () => {
    frame = 0;
    if (shown === null) return;
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(context, shown);
  };
  const observer = new ResizeObserver(() => {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [host.clientWidth, host.clientHeight];
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    size.value = { width, height };
  });
  observer.observe(host);
  const during = (does: () => void) => void ends.push(effect(does));
  during(() => {
    void theme.value;
    // The attribute of the document has been set by then.
    queueMicrotask(() => (palette.value = readPalette(host)));
  });

  return {
    size,
    palette,
    effect: during,
    show(scene) {
      shown = scene;
      if (frame === 0) frame = requestAnimationFrame(paint);
    },
    listen(handlers) {
      for (const [name, handler] of Object.entries(handlers)) {
        canvas.addEventListener(name, handler as EventListener, name === "wheel" ? { passive: false } : undefined);
        ends.push(() => canvas.removeEventListener(name, handler as EventListener));
      }
    },
    close() {
      ends.forEach((end) => end());
      observer.disconnect();
      cancelAnimationFrame(frame);
    },
  };
}
