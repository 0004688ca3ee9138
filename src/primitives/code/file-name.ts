/** Chooses the file name for downloaded code. */

/** File extensions of languages, if they differ from the language name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  '': 'txt',
  bash: 'sh',
  'c#': 'cs',
  'c++': 'cpp',
  console: 'txt',
  csharp: 'cs',
  docker: 'Dockerfile',
  dockerfile: 'Dockerfile',
  javascript: 'js',
  kotlin: 'kt',
  make: 'Makefile',
  makefile: 'Makefile',
  markdown: 'md',
  mermaid: 'mmd',
  patch: 'diff',
  perl: 'pl',
  plaintext: 'txt',
  powershell: 'ps1',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  terraform: 'tf',
  text: 'txt',
  typescript: 'ts',
  udiff: 'diff',
  zsh: 'sh',
};

/** Longer names are cut; file systems allow about twice as much. */
const MAX_NAME = 120;

/** Returns the file name that came with the code, without its folders; otherwise `code` with the language's extension. */
export function fileNameOf({
  filename = '',
  language,
}: {
  readonly filename?: string | undefined;
  readonly language: string;
}): string {
  const own = (filename.split(/[/\\]/).pop() ?? '')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}:*?"<>|]/gu, '')
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '')
    .slice(-MAX_NAME);
  if (own) return own;
  const lower = language.toLowerCase();
  const extension = Object.hasOwn(EXTENSIONS, lower)
    ? (EXTENSIONS[lower] ?? 'txt')
    : /^[a-z\d]{1,10}$/.test(lower)
      ? lower
      : 'txt';
  return /^[A-Z]/.test(extension) ? extension : `code.${extension}`;
}
