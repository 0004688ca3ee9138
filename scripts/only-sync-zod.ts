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

const FILES = /\/zod\/v4\/(core\/schemas|core\/parse|mini\/schemas)\.js$/;

/**
 * The first answer loads zod. The widget parses synchronously and never encodes, but each type of schema asks whether a
 * result is a promise, and for the direction. With fixed answers, the minifier removes what depends on them. A version of
 * zod without one of these questions stops the build, so that none is missed unnoticed.
 */
export function onlySyncZod(): Plugin {
  const asked = new Set<number>();
  let files = 0;
  return {
    name: 'agent-chat:only-sync-zod',
    transform(code, id) {
      if (!FILES.test(id)) return undefined;
      const text = new MagicString(code);
      text.replace(METHODS, '');
      text.replace(QUESTION, (_all, ...groups: unknown[]) => {
        const question = groups.findIndex(Boolean);
        asked.add(question);
        return ANSWERS[question]?.[1] ?? '';
      });
      files += 1;
      return { code: text.toString(), map: text.generateMap({ hires: true }) };
    },
    buildEnd(error) {
      const missing = ANSWERS.filter((_answer, index) => !asked.has(index));
      if (!error && files > 0 && missing.length > 0)
        throw new Error(`zod no longer asks: ${missing.map(([question]) => question).join(', ')}`);
    },
  };
}
