import { useEffect, useRef } from "preact/hooks";
import type { DisplayView } from "../api";
import { toRgba } from "./rgb565";

/** The display's pixels. */
export function Display({ display }: { display: DisplayView }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height, pixels } = display;
  const isUsed = display.on || pixels.some((pixel) => pixel !== 0);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context == null || width === 0 || height === 0) return;
    const image = context.createImageData(width, height);
    toRgba(pixels, image.data);
    context.putImageData(image, 0, 0);
  }, [pixels, isUsed]);
  if (!isUsed) return null;
  return (
    <section class="part wide" aria-label="Display">
      <h3>
        Display <span class="faint">{display.on ? "" : "off"}</span>
      </h3>
      <canvas
        ref={canvas}
        class={`display ${display.on ? "" : "off"}`}
        width={width}
        height={height}
        role="img"
        aria-label={`Display of ${width} by ${height} pixels`}
      />
    </section>
  );
}
