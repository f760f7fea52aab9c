/** Asks a worker, and gives each answer to whoever asked for it. */

/** What is asked for is answered by a worker, which begins when it is first needed. */
export function asker<Question extends object, Answer>(begin: () => Worker): (question: Question) => Promise<Answer> {
  let worker: Worker | null = null;
  let nextId = 1;
  const waiting = new Map<number, (answer: Answer) => void>();
  const start = () => {
    const started = begin();
    started.addEventListener("message", ({ data }: MessageEvent<{ id: number; placement: Answer }>) => {
      waiting.get(data.id)?.(data.placement);
      waiting.delete(data.id);
    });
    return started;
  };
  return (question) => {
    worker ??= start();
    const id = nextId++;
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    worker.postMessage({ id, ...question });
    return answer;
  };
}
