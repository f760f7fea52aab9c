import type { DeviceView } from "../api";
import { open } from "../state/dialogs";
import { position } from "../state/session";
import { linkWords } from "../format/link";

/** The device that the program runs on, and how the link to it is; nothing if it runs here. */
export function DeviceBadge() {
  const device = position.value?.device ?? null;
  return device === null ? null : <Badge device={device} />;
}

function Badge({ device }: { device: DeviceView }) {
  const { state } = device.link;
  const words = linkWords(device.link);
  return (
    <button
      type="button"
      class={`badge device ${state}`}
      aria-label={`Device ${device.name}: ${words}`}
      title={`${device.name} at ${device.address}: ${words}`}
      onClick={() => open({ kind: "link" })}
    >
      <span class="dot" aria-hidden="true" />
      {state === "connected" ? device.name : `${device.name}: ${state}`}
    </button>
  );
}
