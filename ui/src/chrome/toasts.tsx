import { useEffect } from "preact/hooks";
import { dismiss, toasts, type Notice } from "../state/notices";
import { IconButton } from "./button";

const SHOWN: Record<Notice["level"], number> = { info: 4_000, warning: 8_000, error: 12_000 };

export function Toasts() {
  return (
    <div class="toasts" role="log" aria-label="Messages" aria-live="polite">
      {toasts.value.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function Toast({ notice }: { notice: Notice }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(notice.id), SHOWN[notice.level]);
    return () => clearTimeout(timer);
  }, [notice.id]);
  return (
    <div class={`toast ${notice.level}`}>
      <span class="grow">{notice.text}</span>
      <IconButton icon="close" label="Dismiss" onClick={() => dismiss(notice.id)} />
    </div>
  );
}
