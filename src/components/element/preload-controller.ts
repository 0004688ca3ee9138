/** Loads the parts of a first answer before the user needs them: at the first sign of intent, or while the page is idle. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { protocols } from '../../protocols/registry.ts';
import { whenIdle } from '../../primitives/when-idle.ts';
import { pageBase } from '../../runtime/page-base.ts';
import { loadDetection } from '../../runtime/stream/load-detection.ts';
import type { AgentChatSettings } from '../settings/agent-chat-properties.ts';
import { loadTurnChunk } from '../shared/load-chunks.ts';

/** The user's first interactions. The pointer of a touch screen enters when the finger goes down. */
const INTENTS = ['pointerenter', 'focusin'];

/** Pause after the page has loaded, before the widget waits for an idle moment to load its code (ms). */
const REST_MS = 50;

export interface PreloadHost
  extends
    ReactiveControllerHost,
    EventTarget,
    Pick<AgentChatSettings, 'endpoint' | 'protocol' | 'open' | 'mode' | 'redact'> {
  readonly isConnected: boolean;
  /** The protocol that was detected for the endpoint earlier. */
  readonly detectedProtocol: string | undefined;
}

export interface PreloadDependencies {
  loadTranscript(): void;
  /** Loads the transcript, and prepares it for the first answer. */
  prepareTranscript(): void;
  loadStorage(): void;
}

export class PreloadController implements ReactiveController {
  readonly #host: PreloadHost;
  readonly #dependencies: PreloadDependencies;
  #wasOpen: boolean | undefined;

  constructor(host: PreloadHost, dependencies: PreloadDependencies) {
    this.#host = host;
    this.#dependencies = dependencies;
    host.addController(this);
    for (const type of INTENTS) host.addEventListener(type, this.#onIntent, { once: true });
  }

  hostUpdated(): void {
    const { open } = this.#host;
    if (this.#wasOpen === undefined) this.#scheduleIdle();
    else if (open && !this.#wasOpen) this.#onIntent();
    this.#wasOpen = open;
  }

  readonly #onIntent = (): void => {
    this.#load();
    this.#dependencies.prepareTranscript();
    this.#dependencies.loadStorage();
  };

  /** Loads when the page is idle: its own files come first, and its work after it has loaded. */
  #scheduleIdle(): void {
    const wait = (): void => {
      setTimeout(() => {
        whenIdle(this.#onIdle);
      }, REST_MS);
    };
    if (document.readyState === 'complete') wait();
    else addEventListener('load', wait, { once: true });
  }

  readonly #onIdle = (): void => {
    const { isConnected, open, mode } = this.#host;
    // Most visitors of a page never open its launcher.
    const isShown = open || mode === 'inline' || mode === 'fullscreen';
    if (isConnected && isShown && isConnectionFast()) this.#load();
  };

  /** The code that sends the request is loaded first. A failed load is reported when a message is sent. */
  #load(): void {
    void this.#loadAdapter().catch(() => undefined);
    this.#dependencies.loadTranscript();
  }

  /** Loads the adapter of a protocol that is set, known from an earlier reply, or suggested by the URL. */
  async #loadAdapter(): Promise<void> {
    const { endpoint, protocol, detectedProtocol: knownProtocol, redact } = this.#host;
    const isAuto = protocol === undefined || protocol === 'auto';
    const named = isAuto ? knownProtocol : protocol;
    const url = new URL(endpoint ?? '', pageBase());
    await Promise.all([
      typeof named === 'string' && protocols.get(named)?.load(),
      // In parallel with the code of the turn, which needs the detection too.
      isAuto && loadDetection().then(({ protocolToPreload }) => protocols.get(protocolToPreload(url) ?? '')?.load()),
      loadTurnChunk().then(async ({ entryFor, loadRedaction }) => {
        const entry = await entryFor({ settings: { protocol: protocol ?? 'auto' }, protocols, knownProtocol }, url);
        await Promise.all([entry?.load(), redact && loadRedaction()]);
      }),
    ]);
  }
}

/** False if the user wants to save data, or has a slow connection. Only Chromium reports these. */
function isConnectionFast(): boolean {
  const { saveData, effectiveType = '4g' } =
    (navigator as { connection?: { readonly saveData?: boolean; readonly effectiveType?: string } }).connection ?? {};
  return saveData !== true && effectiveType === '4g';
}
