/** What the line that opens a block of code says of it. */
import { withoutBidi } from '../safety/urls.ts';

/** A language is used only when it looks like one. Source: `security/README.md`, rule 4. */
const LANGUAGE = /^[\w+#.-]{1,32}$/;
/** How models name a file: `ts:src/a.ts`, `ts title="src/a.ts"`. */
const FILE = /^[^\s:]*:([^\s:]+\.\w+)(?:\s|$)|\s(?:title|file|filename)=(?:"([^"]+)"|'([^']+)'|(\S+))/;

export interface Fence {
  readonly language: string;
  readonly filename: string | undefined;
}

export function readFence(info: string): Fence {
  const [, behindColon, ...quoted] = FILE.exec(info) ?? [];
  const [name = ''] = info.trim().split(behindColon === undefined ? /\s/ : ':');
  const filename = behindColon ?? quoted.find(Boolean);
  return {
    language: LANGUAGE.test(name) ? name : '',
    filename: filename === undefined ? undefined : withoutBidi(filename),
  };
}
