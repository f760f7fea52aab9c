/** Which part of a long list is in view, so that only the rows in it need exist. */
import { useEffect, useState } from "preact/hooks";
import type { RefObject } from "preact";

export interface View {
  readonly top: number;
  readonly height: number;
}

/** The part of an element that is in view, as it is scrolled and changes its size. */
export function useView(element: RefObject<HTMLElement | null>): View {
  const [view, setView] = useState<View>({ top: 0, height: 600 });
  useEffect(() => {
    const host = element.current!;
    const measure = () => setView({ top: host.scrollTop, height: host.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(host);
    host.addEventListener("scroll", measure);
    return () => {
      observer.disconnect();
      host.removeEventListener("scroll", measure);
    };
  }, []);
  return view;
}
