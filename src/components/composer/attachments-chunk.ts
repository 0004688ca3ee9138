/** Entry of the lazy chunk for attachments, loaded when the user attaches a file. */
import '../../locales/english/all-english.ts';
import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import css from './attachments.css?inline';
import type { Localize } from '../../locales/localize.ts';
import { Attachments, type AttachSettings } from '../../runtime/attachments/attachments.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import type { AgentChatSettings } from '../settings/agent-chat-properties.ts';
import { reportPageFunction } from '../shared/report-page-function.ts';
import { attachmentList } from './attachment-list.ts';

const sheet = createStylesheet(css);

/** Grace period after the element was removed (ms), as for its replies. Frameworks move an element by removing and inserting it. */
const REMOVAL_MS = 2000;

export interface AttachmentsHost {
  /** The root that the attachments are rendered in. */
  readonly root: Node & Partial<Pick<ReactiveControllerHost, 'addController'>>;
  /** Returns the settings. While no files may be attached, `accept` is empty. */
  attachSettings(): AttachSettings;
  changed(): void;
  /** Gives up a send that waits for the attachments, because one of them can't be attached, or was removed. */
  cancelSend(): void;
}

/** The attachments of one composer, with their template and stylesheet. */
export class ComposerAttachments extends Attachments implements ReactiveController {
  readonly #host: AttachmentsHost;
  #removal: ReturnType<typeof setTimeout> | undefined;

  constructor(host: AttachmentsHost) {
    const { root, attachSettings, changed, cancelSend } = host;
    super(attachSettings, changed, {
      refused: cancelSend,
      uploadFailed: (cause) => void reportPageFunction('upload', cause, root),
    });
    adoptStylesheet(root, sheet);
    this.#host = host;
    root.addController?.(this);
    // The element was removed while this code was loading.
    if (!root.isConnected) this.hostDisconnected();
  }

  hostConnected(): void {
    clearTimeout(this.#removal);
  }

  /**
   * Nobody sends the files of an element that was removed. Those of one that returns can be retried. With `keepAlive` the uploads
   * continue, as replies do.
   */
  hostDisconnected(): void {
    clearTimeout(this.#removal);
    this.#removal = setTimeout(() => {
      const { host } = this.#host.root.getRootNode() as Node & { readonly host?: Pick<AgentChatSettings, 'keepAlive'> };
      if (host?.keepAlive) return;
      this.#host.cancelSend();
      this.abort();
    }, REMOVAL_MS);
  }

  view(localize: Localize): TemplateResult {
    return html`${attachmentList({
      localize,
      files: this.files,
      refused: this.refused,
      remove: (id) => {
        // A text that waits for its files is not sent without the one that the user has just found to be wrong.
        this.#host.cancelSend();
        this.remove(id);
      },
      retry: (id) => void this.retry(id),
    })}`;
  }
}
