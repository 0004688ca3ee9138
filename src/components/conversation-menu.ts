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
export function exportEntries(props: ConversationMenuProps): readonly MenuEntry[] {
  const { localize, read, box, say } = props;
  if (!read) return [];
  const attempt = attemptWith(props);
  const copy = async (): Promise<void> => {
    if ((await copyText(await read('markdown'))) && box)
      openToast(box, { localize, words: localize('export.copied'), say });
  };
  // Before it is pressed: Safari shares only what is at hand in the gesture itself.
  const ahead = canShare() ? read('markdown') : undefined;
  ahead?.catch(() => undefined);
  const share = async (): Promise<void> => {
    try {
      await navigator.share({ text: (await ahead) ?? '' });
    } catch (error) {
      // Whoever changes their mind in the system's own dialog has not been failed.
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    }
  };
  return [
    ...(ahead ? [{ words: localize('export.share'), symbol: 'share', run: attempt(share) } as const] : []),
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
export function deleteEntries(props: ConversationMenuProps): readonly MenuEntry[] {
  const { localize, remove, box, say } = props;
  if (!remove) return [];
  const press = async (): Promise<void> => {
    const undo = await remove();
    if (box) openToast(box, { localize, words: localize('threads.deleted'), undo, say });
  };
  return [{ words: localize('header.delete'), symbol: 'bin', danger: true, run: attemptWith(props)(press) }];
}

/** Parts are fetched for it; a reader for whom they do not come is told. */
const attemptWith =
  ({ localize, box, say }: ConversationMenuProps) =>
  (act: () => Promise<void>) =>
  (): void => {
    act().catch(() => {
      if (box) openToast(box, { localize, words: localize('error.load'), say });
    });
  };

const canShare = (): boolean => 'canShare' in navigator && navigator.canShare({ text: 'x' });

/** `2026-11-22`, where the reader is. */
const today = (): string => new Intl.DateTimeFormat('sv').format(Date.now());
