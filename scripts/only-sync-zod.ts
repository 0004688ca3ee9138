import MagicString from 'magic-string';
import type { Plugin } from 'vite';

/** What zod asks for features that no schema of the widget uses, each as a regular expression, with the fixed answer. */
const ANSWERS: readonly (readonly [question: string, answer: string])[] = [
  // Asynchronous checks and transforms.
  [String.raw`asyncResult \|\| \w+ instanceof Promise`, 'false'],
  [String.raw`(?<=if \()asyncResult(?=\))`, 'false'],
  [String.raw`\w+ instanceof Promise`, 'false'],
  [String.raw`ctx\.async(?=\))`, 'false'],
  [String.raw`proms\.length`, '0'],
  // Encoding.
  [String.raw`ctx\??\.direction === "backward"`, 'false'],
  [String.raw`ctx\??\.direction !== "backward"`, 'true'],
  [String.raw`ctx\??\.skipChecks`, 'false'],
  // Stopping at the first error.
  [String.raw`ctx\?\.abortEarly`, 'false'],
  // Data with cycles.
  [String.raw`core\.globalConfig\.memoizer`, 'undefined'],
];
const QUESTION = new RegExp(String.raw`\b(?:${ANSWERS.map(([question]) => `(${question})`).join('|')})`, 'g');

/** Methods of schemas that nothing calls. */
const METHODS =
  /\n {4}(?:\/\/[^\n]*\n {4})?(?:[gs]et )?(?:with|parseAsync|safeParseAsync|brand|register|apply|"~standard")\([^)]*\) \{\n[^]*?\n {4}\},/g;

/**
 * The first answer loads zod. The widget parses synchronously and never encodes, but each type of schema asks whether a
 * result is a promise, and for the direction. With fixed answers, the minifier removes what depends on them.
 */
export const onlySyncZod: Plugin = {
  name: 'agent-chat:only-sync-zod',
  transform(code, id) {
    if (!/\/zod\/v4\/(?:core\/(?:schemas|parse)|mini\/schemas)\.js$/.test(id)) return undefined;
    const text = new MagicString(code);
    text.replace(METHODS, '');
    text.replace(QUESTION, (_all, ...groups: unknown[]) => ANSWERS[groups.findIndex(Boolean)]?.[1] ?? '');
    if (!text.hasChanged()) throw new Error(`${id} no longer has the code that this build knows.`);
    return { code: text.toString(), map: text.generateMap({ hires: true }) };
  },
};
