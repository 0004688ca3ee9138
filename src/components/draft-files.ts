import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { Attachment } from '../model/attachment.ts';
import { icon } from '../primitives/icon.ts';
import type { AttachSettings } from '../runtime/attachments/attachments.ts';
import type { ComposerFiles } from './composer-files.ts';

export interface DraftFilesHost {
  /** What they are drawn in. */
  readonly root: Node;
  /** Undefined while no files may be attached. */
  attach(): AttachSettings | undefined;
  changed(): void;
  /** Their code can't be fetched. */
  failed(): void;
}

/** Files that go out with the words of a composer. What handles and shows them is fetched with the first one. */
export class DraftFiles {
  readonly #host: DraftFilesHost;
  #files: ComposerFiles | undefined;

  constructor(host: DraftFilesHost) {
    this.#host = host;
  }

  get isEmpty(): boolean {
    return (this.#files?.files.length ?? 0) === 0;
  }

  /** Some are on their way still. */
  get busy(): boolean {
    return this.#files?.busy ?? false;
  }

  /** All of them can go out. */
  get ready(): boolean {
    return this.#files?.ready ?? true;
  }

  view(localize: Localize): unknown {
    return this.#files?.view(localize) ?? nothing;
  }

  async add(files: readonly File[]): Promise<void> {
    if (files.length > 0) await (await this.#load())?.add(files);
  }

  async restore(attachments: readonly Attachment[]): Promise<void> {
    if (attachments.length > 0) (await this.#load())?.restore(attachments);
  }

  /** Ends what is on its way. */
  clear(): void {
    this.#files?.clear();
  }

  /** What goes out; the draft has none of it any more. `giveBack` puts it there again. */
  take(): ReturnType<ComposerFiles['take']> {
    return this.#files?.take() ?? { attachments: [], giveBack: () => undefined };
  }

  button(localize: Localize, disabled: boolean): TemplateResult | typeof nothing {
    const settings = this.#host.attach();
    if (!settings) return nothing;
    const label = localize('attach.add');
    return html`<button
        type="button"
        class="icon-button"
        part="attach-button"
        aria-label=${label}
        title=${label}
        ?disabled=${disabled}
        @click=${choose}
      >
        ${icon('plus')}</button
      ><input type="file" multiple hidden accept=${settings.accept} @change=${this.#chosen} />`;
  }

  readonly #chosen = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    void this.add([...(input.files ?? [])]);
    // The same file may be chosen once more.
    input.value = '';
  };

  async #load(): Promise<ComposerFiles | undefined> {
    const { root, attach, changed, failed } = this.#host;
    try {
      const { ComposerFiles } = await import('./composer-files.ts');
      const settings = (): AttachSettings => {
        const now = attach();
        if (!now) throw new Error('Files are taken only where they may be attached.');
        return now;
      };
      return (this.#files ??= new ComposerFiles(root, settings, changed));
    } catch {
      failed();
      return undefined;
    }
  }
}

function choose({ currentTarget }: Event): void {
  (currentTarget as Element).parentElement?.querySelector<HTMLInputElement>('input[type="file"]')?.click();
}
