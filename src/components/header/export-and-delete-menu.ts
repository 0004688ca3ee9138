/** Menu items for the whole conversation, for the header's overflow menu. */
import type { ExportFormat } from '../../conversation/export/export-conversation.ts';
import type { Localize } from '../../locales/localize.ts';
import { copyText } from '../../primitives/copy-to-clipboard.ts';
import { downloadFile } from '../../primitives/download-file.ts';
import type { MenuEntry } from '../ui/menu.ts';
import { openToast } from '../ui/toast.ts';

export interface ConversationMenuProps {
  readonly localize: Localize;
  /** The container for toasts. */
  readonly toastContainer: Element | null;
  /** Exports the conversation as text; undefined if exporting is disabled. */
  readonly exportAs: ((format: ExportFormat) => Promise<string>) | undefined;
  /** Deletes the conversation and resolves with a function that undoes it; undefined if deleting is disabled. */
  readonly remove: (() => Promise<() => Promise<void>>) | undefined;
  /** Announces a text to screen readers. */
  announce(text: string): void;
}

const EXPORT_FORMATS = [
  { format: 'markdown', key: 'export.markdown', extension: 'md', type: 'text/markdown' },
  { format: 'json', key: 'export.json', extension: 'json', type: 'application/json' },
  { format: 'openai-messages', key: 'export.openai', extension: 'openai.json', type: 'application/json' },
] as const;

/** Menu items that share, copy or save the conversation. */
export function exportEntries(props: ConversationMenuProps): readonly MenuEntry[] {
  const { localize, exportAs, toastContainer, announce } = props;
  if (!exportAs) return [];
  const attempt = withErrorToast(props);
  const copy = async (): Promise<void> => {
    if ((await copyText(await exportAs('markdown'))) && toastContainer)
      openToast(toastContainer, { localize, message: localize('export.copied'), announce });
  };
  // Exported when the menu opens: Safari allows sharing only in the task of the press on the item.
  const shareText = canShare() ? exportAs('markdown') : undefined;
  shareText?.catch(() => undefined);
  const share = async (): Promise<void> => {
    try {
      await navigator.share({ text: (await shareText) ?? '' });
    } catch (error) {
      // Cancelling the system's share dialog is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    }
  };
  return [
    ...(shareText ? [{ label: localize('export.share'), symbol: 'share', run: attempt(share) } as const] : []),
    { label: localize('export.copy'), symbol: 'copy', run: attempt(copy) },
    ...EXPORT_FORMATS.map(({ format, key, extension, type }) => ({
      label: localize(key),
      symbol: 'download' as const,
      run: attempt(async () => {
        downloadFile(await exportAs(format), `${localize('export.name')}-${today()}.${extension}`, type);
      }),
    })),
  ];
}

/** The menu item that deletes the conversation. */
export function deleteEntries(props: ConversationMenuProps): readonly MenuEntry[] {
  const { localize, remove, toastContainer, announce } = props;
  if (!remove) return [];
  const deleteConversation = async (): Promise<void> => {
    const undo = await remove();
    if (toastContainer) openToast(toastContainer, { localize, message: localize('threads.deleted'), undo, announce });
  };
  return [
    {
      label: localize('header.delete'),
      symbol: 'bin',
      isDestructive: true,
      run: withErrorToast(props)(deleteConversation),
    },
  ];
}

/** Wraps an action: shows an error toast if it fails, for example because a chunk could not be loaded. */
const withErrorToast =
  ({ localize, toastContainer, announce }: ConversationMenuProps) =>
  (act: () => Promise<void>) =>
  (): void => {
    act().catch(() => {
      if (toastContainer) openToast(toastContainer, { localize, message: localize('error.load'), announce });
    });
  };

const canShare = (): boolean => 'canShare' in navigator && navigator.canShare({ text: 'x' });

/** The local date as `2026-11-22`, the date format of Swedish (`sv`). */
const today = (): string => new Intl.DateTimeFormat('sv').format(Date.now());
