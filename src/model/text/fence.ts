/** Returns a Markdown code block that its content cannot end. */
export function fence(code: string, language: string): string {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language.replace(/[\s`]+/g, ' ').trim()}\n${code}\n${mark}`;
}
