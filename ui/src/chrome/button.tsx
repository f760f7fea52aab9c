import type { ComponentChildren } from "preact";
import { commandNamed } from "./commands";
import { Icon, type IconName } from "./icons";

interface Props {
  icon: IconName;
  label: string;
  onClick(): unknown;
  disabled?: boolean;
  pressed?: boolean;
  plain?: boolean;
  children?: ComponentChildren;
}

/** A button with a picture. Its label is its name and its tooltip. */
export function IconButton({ icon, label, onClick, disabled, pressed, plain, children }: Props) {
  return (
    <button
      type="button"
      class={plain === false ? "" : "plain"}
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={() => void onClick()}
    >
      <Icon name={icon} />
      {children}
    </button>
  );
}

/** A button that stands for a command, with its key in the tooltip. */
export function CommandButton({ id, icon, words, disabled }: { id: string; icon: IconName; words?: string; disabled?: boolean }) {
  const command = commandNamed(id);
  const key = command.keys[0];
  const title = key === undefined ? command.title : `${command.title} (${key})`;
  return (
    <button
      type="button"
      class={words === undefined ? "plain" : "words"}
      title={title}
      aria-label={words ?? command.title}
      aria-keyshortcuts={key?.replace("Ctrl", "Control")}
      disabled={disabled}
      data-command={id}
      onClick={() => void command.run()}
    >
      <Icon name={icon} />
      {words}
    </button>
  );
}
