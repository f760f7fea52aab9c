import type { MotorView, PinView } from "../api";
import { count } from "../format/values";

export function Servos({ pins }: { pins: Record<string, PinView> }) {
  const servos = Object.entries(pins).filter(([, pin]) => pin.servo_degrees !== null);
  if (servos.length === 0) return null;
  return (
    <section class="part" aria-label="Servos">
      <h3>Servos</h3>
      <div class="dials">
        {servos.map(([number, pin]) => (
          <Dial key={number} name={`pin ${number}`} degrees={pin.servo_degrees!} words={`${pin.servo_degrees}°`} />
        ))}
      </div>
    </section>
  );
}

export function Motors({ motors }: { motors: Record<string, MotorView> }) {
  const all = Object.entries(motors);
  if (all.length === 0) return null;
  return (
    <section class="part" aria-label="Motors">
      <h3>Motors</h3>
      <div class="dials">
        {all.map(([number, motor]) => (
          <Dial
            key={number}
            name={`motor ${number}`}
            degrees={motor.angle_millidegrees / 1000}
            words={`${count(Math.round(motor.position_millidegrees / 1000))}°${motor.speed === 0 ? "" : `, speed ${count(motor.speed)}`}`}
          />
        ))}
      </div>
    </section>
  );
}

function Dial({ name, degrees, words }: { name: string; degrees: number; words: string }) {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return (
    <figure class="dial">
      <svg viewBox="0 0 60 60" role="img" aria-label={`${name} at ${words}`}>
        <circle cx="30" cy="30" r="25" class="face" />
        {[0, 90, 180, 270].map((mark) => (
          <line key={mark} x1="30" y1="5" x2="30" y2="9" class="mark" transform={`rotate(${mark} 30 30)`} />
        ))}
        <line x1="30" y1="30" x2={30 + 20 * Math.cos(angle)} y2={30 + 20 * Math.sin(angle)} class="hand" />
        <circle cx="30" cy="30" r="3" class="axle" />
      </svg>
      <figcaption>
        <span class="mono">{name}</span>
        <span class="soft">{words}</span>
      </figcaption>
    </figure>
  );
}
