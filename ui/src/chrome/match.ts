/** Whether all words of what was typed begin a word of the text, or its letters occur in order. */
export function matches(text: string, typed: string): boolean {
  const wanted = typed.toLowerCase().trim();
  if (wanted === "") return true;
  const words = text.toLowerCase().split(/[^a-z0-9]+/);
  const begins = wanted.split(/\s+/).every((part) => words.some((word) => word.startsWith(part)));
  return begins || inOrder(text.toLowerCase(), wanted.replaceAll(" ", ""));
}

function inOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at);
    if (at < 0) return false;
    at++;
  }
  return true;
}
