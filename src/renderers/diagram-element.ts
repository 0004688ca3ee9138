import { nothing } from 'lit';
import type { Drawing } from '../primitives/code-tools.ts';
import { LightElement } from '../primitives/light-element.ts';
import { watchColours } from '../primitives/watch-colours.ts';
import { openArtifactFrame, type ArtifactFrame } from '../safety/open-frame.ts';
import { diagramPage, readSaying, type Look } from './diagram-page.ts';

/** A diagram that says nothing for so long is given up. */
const DRAWN_MS = 20_000;

/**
 * A diagram, drawn by Mermaid in a frame of its own: some of its parts fetch what their source names while they are laid out, before
 * there is anything that could be cleaned. It is drawn again when the colours around it change.
 */
export class AgentChatDiagram extends LightElement {
  static override properties = { drawing: { attribute: false } };
  declare drawing: Drawing;
  #frame: ArtifactFrame | undefined;
  #given: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    watchColours(this, this.#again);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#again();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#close();
  }

  protected override render(): unknown {
    return nothing;
  }

  protected override updated(): void {
    this.#again();
  }

  readonly #again = (): void => {
    this.#draw().catch(() => {
      this.#fail();
    });
  };

  async #draw(): Promise<void> {
    this.#close();
    const { drawing } = this;
    const { mermaidCode } = await import('./mermaid-code.ts');
    if (drawing !== this.drawing || !this.isConnected || this.#frame) return;
    const { source, localize, drawn } = drawing;
    const hear = (message: unknown): void => {
      const said = readSaying(message);
      if (!said) return;
      clearTimeout(this.#given);
      if (said === 'drawn') drawn();
      else this.#fail();
    };
    const page = diagramPage(mermaidCode, source, lookOf(this));
    this.#frame = openArtifactFrame(
      { kind: 'text/html', source: page, longest: Infinity, title: localize('diagram.title'), hear },
      () => {
        this.#fail();
      },
    );
    if (!this.#frame) throw new Error('There is no frame for it.');
    this.#given = setTimeout(() => {
      this.#fail();
    }, DRAWN_MS);
    this.append(this.#frame.element);
  }

  #fail(): void {
    this.#close();
    this.drawing.failed();
  }

  #close(): void {
    clearTimeout(this.#given);
    this.#frame?.close();
    this.#frame = undefined;
  }
}

/** The colours around it, as they are used: a frame knows none of the widget's properties. */
function lookOf(element: HTMLElement): Look {
  const { color, fontFamily } = getComputedStyle(element);
  const probe = document.createElement('i');
  element.append(probe);
  const resolve = (value: string): string => {
    probe.style.color = value;
    return hex(getComputedStyle(probe).color);
  };
  const background = resolve('var(--_surface, Canvas)');
  const look = {
    background,
    foreground: hex(color),
    line: resolve('color-mix(in oklab, var(--_foreground, CanvasText) 55%, var(--_background, Canvas))'),
    surface: resolve('color-mix(in oklab, var(--_accent, CanvasText) 12%, var(--_background, Canvas))'),
    font: fontFamily,
    dark: isDark(background),
  };
  probe.remove();
  return look;
}

/** Mermaid computes with colours, and reads the old ways of writing them only. */
function hex(colour: string): string {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  if (!canvas) return '#888888';
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** By the weights that the eye gives to red, green and blue. */
function isDark(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}
