/** Pixels of 16 bits (5 red, 6 green, 5 blue) as the four bytes that a canvas takes. */
export function toRgba(pixels: ArrayLike<number>, into: Uint8ClampedArray): void {
  for (let at = 0; at < pixels.length && at * 4 + 3 < into.length; at++) {
    const pixel = pixels[at]!;
    const [red, green, blue] = [(pixel >> 11) & 31, (pixel >> 5) & 63, pixel & 31];
    // The highest bits are repeated below, so that white is white.
    into[at * 4] = (red << 3) | (red >> 2);
    into[at * 4 + 1] = (green << 2) | (green >> 4);
    into[at * 4 + 2] = (blue << 3) | (blue >> 2);
    into[at * 4 + 3] = 255;
  }
}
