import { useEffect, useRef } from "preact/hooks";

export interface MenuItem {
  readonly title: string;
  run(): unknown;
}

/** A menu at a point of the page. */
export function Menu({ x, y, items, onClose }: { x: number; y: number; items: MenuItem[]; onClose(): void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const menu = element.current!;
    // Above everything, where no pane moves or clips it.
    menu.showPopover();
    // Kept inside of the window.
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 8))}px`;
    menu.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 8))}px`;
    menu.querySelector("button")?.focus();
    const away = (event: Event) => {
      if (!menu.contains(event.target as Node)) onClose();
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [x, y]);
  const walk = (event: KeyboardEvent) => {
    const all = [...element.current!.querySelectorAll("button")];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "Escape") onClose();
    else if (event.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all[(at - 1 + all.length) % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" role="menu" popover="manual" ref={element} onKeyDown={walk}>
      {items.map((item) => (
        <button
          key={item.title}
          type="button"
          role="menuitem"
          class="plain"
          onClick={() => {
            onClose();
            void item.run();
          }}
        >
          {item.title}
        </button>
      ))}
    </div>
  );
}
