import { nothing } from 'lit';
import type { Diagram } from '../../primitives/code/code-tools.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { watchColors } from '../../primitives/watch-colors.ts';
import { openSandboxedFrame, type SandboxedFrame } from '../../safety/sandboxed-frame.ts';
import { diagramDocument, parseDiagramMessage, type DiagramTheme } from './diagram-frame.ts';

/** The diagram counts as failed if its frame reports nothing within this time (ms). */
const DRAWN_MS = 20_000;

/**
 * A diagram that Mermaid renders in a sandboxed frame. The frame is needed because Mermaid loads resources named in the
 * source while it lays them out, before any sanitizing is possible. It is rendered again when the surrounding colours
 * change.
 */
export class AgentChatDiagram extends LightElement {
  static override properties = { drawing: { attribute: false } };
  declare drawing: Diagram;
  #frame: SandboxedFrame | undefined;
  #timeout: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    watchColors(this, this.#redraw);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#redraw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#close();
  }

  protected override render(): unknown {
    return nothing;
  }

  protected override updated(): void {
    this.#redraw();
  }

  readonly #redraw = (): void => {
    this.#draw().catch(() => {
      this.#fail();
    });
  };

  async #draw(): Promise<void> {
    this.#close();
    const { drawing } = this;
    const { mermaidCode } = await import('./mermaid-bundle.ts');
    if (drawing !== this.drawing || !this.isConnected || this.#frame) return;
    const { source, localize, drawn } = drawing;
    const hear = (message: unknown): void => {
      const result = parseDiagramMessage(message);
      if (!result) return;
      clearTimeout(this.#timeout);
      if (result === 'drawn') drawn();
      else this.#fail();
    };
    const page = diagramDocument(mermaidCode, source, themeOf(this));
    this.#frame = openSandboxedFrame(
      { kind: 'text/html', source: page, longest: Infinity, title: localize('diagram.title'), hear },
      () => {
        this.#fail();
      },
    );
    if (!this.#frame) throw new Error('There is no frame for it.');
    this.#timeout = setTimeout(() => {
      this.#fail();
    }, DRAWN_MS);
    this.append(this.#frame.element);
  }

  #fail(): void {
    this.#close();
    this.drawing.failed();
  }

  #close(): void {
    clearTimeout(this.#timeout);
    this.#frame?.close();
    this.#frame = undefined;
  }
}

/** The computed colours of the widget: the frame does not inherit its custom properties. */
function themeOf(element: HTMLElement): DiagramTheme {
  const { color, fontFamily } = getComputedStyle(element);
  const probe = document.createElement('i');
  element.append(probe);
  const resolve = (value: string): string => {
    probe.style.color = value;
    return hex(getComputedStyle(probe).color);
  };
  const background = resolve('var(--_surface, Canvas)');
  const theme = {
    background,
    foreground: hex(color),
    line: resolve('color-mix(in oklab, var(--_foreground, CanvasText) 55%, var(--_background, Canvas))'),
    surface: resolve('color-mix(in oklab, var(--_accent, CanvasText) 12%, var(--_background, Canvas))'),
    font: fontFamily,
    dark: isDark(background),
  };
  probe.remove();
  return theme;
}

/** Mermaid computes with colours and parses only the legacy colour syntax. */
function hex(colour: string): string {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  if (!canvas) return '#888888';
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance: red, green and blue by how bright they appear. */
function isDark(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}
