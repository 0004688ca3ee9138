/** What can be done with the whole conversation, for the menu of the header. */
import type { ExportFormat } from '../conversation/export.ts';
import type { Localize } from '../locales/localize.ts';
import { copyText } from '../primitives/copy-text.ts';
import { saveFile } from '../primitives/save-file.ts';
import type { MenuEntry } from './menu.ts';
import { openToast } from './toast.ts';

export interface ConversationMenuProps {
  readonly localize: Localize;
  /** Where a word about what was done is shown. */
  readonly box: Element | null;
  /** The conversation as text; undefined where it is not to leave the widget. */
  readonly read: ((format: ExportFormat) => Promise<string>) | undefined;
  /** Deletes it and resolves with what brings it back; undefined where that can't be done. */
  readonly remove: (() => Promise<() => Promise<void>>) | undefined;
  say(words: string): void;
}

const FILES = [
  { format: 'markdown', key: 'export.markdown', ending: 'md', type: 'text/markdown' },
  { format: 'json', key: 'export.json', ending: 'json', type: 'application/json' },
  { format: 'openai-messages', key: 'export.openai', ending: 'openai.json', type: 'application/json' },
] as const;

/** What takes it out of the widget, and leaves it as it is. */
export function exportEntries({ localize, read, box, say }: ConversationMenuProps): readonly MenuEntry[] {
  if (!read) return [];
  /** What makes files is fetched for it; a reader who gets none is told. */
  const attempt = (act: () => Promise<void>) => (): void => {
    act().catch(() => {
      if (box) openToast(box, { localize, words: localize('error.load'), say });
    });
  };
  const copy = async (): Promise<void> => {
    if ((await copyText(await read('markdown'))) && box)
      openToast(box, { localize, words: localize('export.copied'), say });
  };
  const share = async (): Promise<void> => {
    // Whoever changes their mind in the system's own dialog has not been failed.
    await navigator.share({ text: await read('markdown') }).catch(() => undefined);
  };
  return [
    ...(canShare() ? [{ words: localize('export.share'), symbol: 'share', run: attempt(share) } as const] : []),
    { words: localize('export.copy'), symbol: 'copy', run: attempt(copy) },
    ...FILES.map(({ format, key, ending, type }) => ({
      words: localize(key),
      symbol: 'download' as const,
      run: attempt(async () => {
        saveFile(await read(format), `${localize('export.name')}-${today()}.${ending}`, type);
      }),
    })),
  ];
}

/** What takes it away. */
export function deleteEntries({ localize, remove, box, say }: ConversationMenuProps): readonly MenuEntry[] {
  if (!remove) return [];
  const press = async (): Promise<void> => {
    const undo = await remove();
    if (box) openToast(box, { localize, words: localize('threads.deleted'), undo, say });
  };
  return [{ words: localize('header.delete'), symbol: 'bin', danger: true, run: () => void press() }];
}

const canShare = (): boolean => 'canShare' in navigator && navigator.canShare({ text: 'x' });

/** `2026-11-22`, where the reader is. */
const today = (): string => new Intl.DateTimeFormat('sv').format(Date.now());
