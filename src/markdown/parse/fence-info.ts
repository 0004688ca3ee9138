/** Parses the info string of a fenced code block. */
import { withoutInvisible } from '../../safety/urls.ts';

/** A language is used only if it has this form. Source: `docs/security.md`. */
const LANGUAGE = /^[\w+#.-]{1,32}$/;
/** File name notations of models: `ts:src/a.ts`, `ts title="src/a.ts"`. */
const FILE = /^[^\s:]*:([^\s:]+\.\w+)(?:\s|$)|\s(?:title|file|filename)=(?:"([^"]+)"|'([^']+)'|(\S+))/;

export interface FenceInfo {
  readonly language: string;
  readonly filename: string | undefined;
}

export function parseFenceInfo(info: string): FenceInfo {
  const [, behindColon, ...quoted] = FILE.exec(info) ?? [];
  const [name = ''] = info.trim().split(behindColon === undefined ? /\s/ : ':');
  const filename = behindColon ?? quoted.find(Boolean);
  return {
    language: LANGUAGE.test(name) ? name : '',
    filename: filename === undefined ? undefined : withoutInvisible(filename),
  };
}
