import { html, nothing, render, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { adoptSheet, sheet } from '../theme/sheet.ts';
import sheetText from '../theme/lightbox.css?inline';
import { icon, type IconName } from './icon.ts';
import { inLanguageOf } from './in-language.ts';
import { saveFile } from './save-file.ts';

const style = sheet(sheetText);

/** 1 shows the picture whole; a step makes it half as large again. */
const STEP = 1.5;
const LARGEST = 8;

export interface LightboxProps {
  readonly localize: Localize;
  readonly src: string;
  readonly alt: string;
}

/** A picture as large as the window, to be looked at closely and kept. It was loaded before: nothing new is asked for. */
export function openLightbox(root: Node & ParentNode, { localize, src, alt }: LightboxProps): void {
  adoptSheet(root, style);
  const dialog = document.createElement('dialog');
  dialog.className = 'lightbox';
  dialog.setAttribute('part', 'dialog');
  dialog.setAttribute('aria-label', alt || localize('image.large'));
  inLanguageOf(root, dialog);
  let zoom = 1;
  const zoomTo = (next: number): void => {
    zoom = Math.min(LARGEST, Math.max(1, next));
    draw();
  };
  const close = (): void => {
    dialog.close();
  };
  const draw = (): void => {
    render(
      html`<div class="bar">
          ${button('zoom-out', localize('image.smaller'), () => {
            zoomTo(zoom / STEP);
          })}
          <output class="tabular" aria-live="polite"
            >${localize('image.zoom', { percent: Math.round(zoom * 100) })}</output
          >
          ${button('plus', localize('image.larger'), () => {
            zoomTo(zoom * STEP);
          })}
          ${keep(src, alt, localize)} ${button('close', localize('image.close'), close, true)}
        </div>
        <div class="stage" tabindex="0" @click=${closeBeside}>
          <img
            src=${src}
            alt=${alt}
            referrerpolicy="no-referrer"
            @load=${draw}
            @dblclick=${() => {
              zoomTo(zoom > 1 ? 1 : STEP ** 2);
            }}
          />
        </div>`,
      dialog,
    );
    const image = dialog.querySelector('img');
    if (image) fit(image, zoom);
  };
  /** A press beside the picture. */
  const closeBeside = (event: Event): void => {
    if (event.target === event.currentTarget && zoom === 1) close();
  };
  dialog.addEventListener('keydown', (event) => {
    if (event.key === '+' || event.key === '=') zoomTo(zoom * STEP);
    else if (event.key === '-') zoomTo(zoom / STEP);
    else if (event.key === '0') zoomTo(1);
    // Escape closes the picture, and not the panel below it.
    event.stopPropagation();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
  });
  draw();
  root.append(dialog);
  dialog.showModal();
  draw();
}

/** As large as there is room, but no larger than it is; times `zoom`. */
function fit(image: HTMLImageElement, zoom: number): void {
  const stage = image.parentElement;
  if (!stage || image.naturalWidth === 0) return;
  const room = Math.min(stage.clientWidth / image.naturalWidth, stage.clientHeight / image.naturalHeight, 1);
  image.style.setProperty('inline-size', `${String(Math.max(1, Math.round(image.naturalWidth * room * zoom)))}px`);
}

/** Inline pictures are saved; others are opened where they are, since a page can't save what is another host's. */
function keep(src: string, alt: string, localize: Localize): TemplateResult | typeof nothing {
  const [, type = 'image/png', bytes] = /^data:([^;,]+);base64,(.*)$/s.exec(src) ?? [];
  if (bytes !== undefined) {
    const name = `${alt.replace(/[^\p{L}\p{N} _-]/gu, '').trim() || 'image'}.${type.slice('image/'.length)}`;
    return button('download', localize('image.save'), () => {
      saveFile(
        Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)),
        name,
        type,
      );
    });
  }
  return /^https?:/.test(src)
    ? html`<a
        class="icon-button"
        href=${src}
        target="_blank"
        rel="noopener noreferrer nofollow"
        aria-label=${localize('image.open')}
        title=${localize('image.open')}
        >${icon('external')}</a
      >`
    : nothing;
}

const button = (symbol: IconName, label: string, press: () => void, first = false): TemplateResult =>
  html`<button type="button" class="icon-button" aria-label=${label} title=${label} ?autofocus=${first} @click=${press}>
    ${icon(symbol)}
  </button>`;
