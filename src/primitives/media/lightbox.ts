import { html, nothing, render, type TemplateResult } from 'lit';
import { enLightbox } from '../../locales/english/en-lightbox.ts';
import { addEnglish } from '../../locales/english/loaded-english.ts';
import type { Localize } from '../../locales/localize.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import sheetText from './lightbox.css?inline';
import type { IconName } from '../icon.ts';
import { lazyIcon } from '../lazy-icons.ts';
import { applyLanguage } from '../apply-language.ts';
import { downloadFile } from '../download-file.ts';
import { onUserSwitch } from '../user-change.ts';

addEnglish(enLightbox);
const style = createStylesheet(sheetText);

/** Each step multiplies or divides the zoom by this. At 1 the image fits into the window. */
const STEP = 1.5;
const LARGEST = 8;

export interface LightboxProps {
  readonly localize: Localize;
  readonly src: string;
  readonly alt: string;
}

/** Opens an image full-screen, to zoom and save it. It is already loaded: nothing is requested. */
export function openLightbox(root: Node & ParentNode, { localize, src, alt }: LightboxProps): void {
  adoptStylesheet(root, style);
  const dialog = document.createElement('dialog');
  dialog.className = 'lightbox';
  dialog.setAttribute('part', 'dialog');
  dialog.setAttribute('aria-label', alt || localize('image.large'));
  applyLanguage(root, dialog);
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
          ${saveLink(src, alt, localize)} ${button('close', localize('image.close'), close, true)}
        </div>
        <div class="stage" tabindex="0" @click=${closeOnBackdrop}>
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
    if (image) fitToWindow(image, zoom);
  };
  /** Closes on clicks outside of the image, unless it is enlarged. */
  const closeOnBackdrop = (event: Event): void => {
    if (event.target === event.currentTarget && zoom === 1) close();
  };
  dialog.addEventListener('keydown', (event) => {
    if (event.key === '+' || event.key === '=') zoomTo(zoom * STEP);
    else if (event.key === '-') zoomTo(zoom / STEP);
    else if (event.key === '0') zoomTo(1);
    // Escape closes the image, not the panel below it.
    event.stopPropagation();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
  });
  onUserSwitch(dialog, close);
  draw();
  root.append(dialog);
  dialog.showModal();
  draw();
}

/** Fits the image into the window, at most at its natural size, multiplied by `zoom`. */
function fitToWindow(image: HTMLImageElement, zoom: number): void {
  const stage = image.parentElement;
  if (!stage || image.naturalWidth === 0) return;
  const room = Math.min(stage.clientWidth / image.naturalWidth, stage.clientHeight / image.naturalHeight, 1);
  image.style.setProperty('inline-size', `${String(Math.max(1, Math.round(image.naturalWidth * room * zoom)))}px`);
}

/** Inline images are downloaded; others are opened at their URL, because a page cannot save files of another host. */
function saveLink(src: string, alt: string, localize: Localize): TemplateResult | typeof nothing {
  const [, type = 'image/png', bytes] = /^data:([^;,]+);base64,(.*)$/is.exec(src) ?? [];
  if (bytes !== undefined) {
    const name = `${alt.replace(/[^\p{L}\p{N} _-]/gu, '').trim() || 'image'}.${type.slice('image/'.length)}`;
    return button('download', localize('image.save'), () => {
      downloadFile(
        Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)),
        name,
        type,
      );
    });
  }
  return /^https?:/i.test(src)
    ? html`<a
        class="icon-button"
        href=${src}
        target="_blank"
        rel="noopener noreferrer nofollow"
        aria-label=${localize('image.open')}
        title=${localize('image.open')}
        >${lazyIcon('external')}</a
      >`
    : nothing;
}

const button = (symbol: IconName, label: string, press: () => void, first = false): TemplateResult =>
  html`<button type="button" class="icon-button" aria-label=${label} title=${label} ?autofocus=${first} @click=${press}>
    ${lazyIcon(symbol)}
  </button>`;
