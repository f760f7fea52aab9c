//! What happens while the debugger works, told as events.

use std::time::{Duration, Instant};

use mw_api::{DeviceView, Event, Listener};
use serde_json::{Value, json};

use crate::protocol::Client;

/// Tells a client what happens.
pub(crate) struct Reporter<'a> {
    pub client: &'a mut dyn Client,
    pub seq: &'a mut i64,
    /// Whether the client shows progress; then its number, once it has begun.
    pub progress: Option<Option<String>>,
    /// When progress was last told, or the work began.
    pub said: Instant,
    /// The device, as the client was last told of it.
    pub device: &'a mut Option<DeviceView>,
}

const PAUSE: Duration = Duration::from_millis(300);

impl Reporter<'_> {
    pub fn event(&mut self, name: &str, body: Value) {
        *self.seq += 1;
        let message = json!({ "seq": *self.seq, "type": "event", "event": name, "body": body });
        self.client.send(message);
    }

    fn output(&mut self, category: &str, text: String) {
        self.event("output", json!({ "category": category, "output": text }));
    }

    /// Says that the work is over.
    pub fn end(&mut self) {
        if let Some(Some(id)) = self.progress.take() {
            self.event("progressEnd", json!({ "progressId": id }));
        }
    }
}

impl Listener for Reporter<'_> {
    fn event(&mut self, event: Event) {
        match event {
            Event::Effect(effect) => {
                let text = format!("{}  {}\n", effect.call, effect.effect);
                self.output("stdout", text);
            }
            Event::Reading(reading) => self.output("console", format!("read {}\n", reading.text)),
            Event::Omitted { count } => {
                self.output("console", format!("{count} outputs and readings before these\n"));
            }
            Event::Log { message } => self.output("console", message + "\n"),
            Event::Warning { message } => self.output("important", message + "\n"),
            Event::Link(device) => {
                Reporter::event(self, "mw/device", json!(device));
                *self.device = Some(device);
            }
            // What was found is in the answer; that others did something is told by itself.
            Event::Found { .. } | Event::Passing { .. } | Event::Changed(_) => {}
            // Only those who wait want to know, and not all the time.
            Event::Progress { .. } if self.said.elapsed() < PAUSE => {}
            Event::Progress { done, goal } => match self.progress.clone() {
                None => {}
                Some(None) => {
                    self.said = Instant::now();
                    let id = format!("progress {}", *self.seq);
                    self.progress = Some(Some(id.clone()));
                    let title = "Manyworlds is at work";
                    let body = json!({ "progressId": id, "title": title, "cancellable": true });
                    Reporter::event(self, "progressStart", body);
                }
                Some(Some(id)) => {
                    self.said = Instant::now();
                    let message = match goal {
                        Some(goal) => format!("{done} of {goal} instructions"),
                        None => format!("{done} instructions"),
                    };
                    let body = json!({ "progressId": id, "message": message });
                    Reporter::event(self, "progressUpdate", body);
                }
            },
        }
    }

    fn is_cancelled(&mut self) -> bool {
        self.client.is_cancelled()
    }
}
