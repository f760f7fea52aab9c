/** Colours of code, by the page's own variables, so that they follow its theme. */
import { HighlightStyle } from "@codemirror/language";
import { tags as t } from "@lezer/highlight";

const colour = (name: string) => `var(--code-${name})`;

export const colours = HighlightStyle.define([
  { tag: [t.keyword, t.controlKeyword, t.definitionKeyword, t.moduleKeyword, t.operatorKeyword], color: colour("keyword") },
  { tag: [t.string, t.special(t.string), t.regexp], color: colour("string") },
  { tag: [t.number, t.bool, t.null, t.atom], color: colour("number") },
  { tag: [t.comment], color: colour("comment"), fontStyle: "italic" },
  { tag: [t.typeName, t.className, t.namespace], color: colour("type") },
  { tag: [t.function(t.variableName), t.function(t.propertyName), t.standard(t.variableName)], color: colour("name") },
]);
