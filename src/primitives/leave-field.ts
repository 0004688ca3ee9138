/**
 * Escape in a card or form with something entered in it only leaves the field: the focus goes to the card. Otherwise the first Escape
 * would stop the reply, with which a half-filled question is gone, or discard a text. The next one has its usual effect.
 */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isFilled = (field: Field): boolean => {
  if (field instanceof HTMLSelectElement) return field.selectedIndex > 0;
  return field.type === 'checkbox' || field.type === 'radio' ? (field as HTMLInputElement).checked : field.value !== '';
};

const isChanged = (field: Field): boolean => 'defaultValue' in field && field.value !== field.defaultValue;

const listener =
  (hasEntry: (card: HTMLElement, fields: readonly Field[]) => boolean) =>
  (event: KeyboardEvent): void => {
    const card = event.currentTarget as HTMLElement;
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || event.target === card) return;
    if (!hasEntry(card, [...card.querySelectorAll<Field>('input, textarea, select')])) return;
    event.preventDefault();
    event.stopPropagation();
    // Not focusable otherwise: a press beside the fields leaves the focus to the transcript.
    card.tabIndex = -1;
    card.addEventListener(
      'blur',
      () => {
        card.removeAttribute('tabindex');
      },
      { once: true },
    );
    card.focus({ preventScroll: true });
  };

/** For a card whose fields the user fills in. `data-entered`: there are entries that are not visible, such as those of another page. */
export const leaveFilledCard = listener(
  (card, fields) => card.dataset['entered'] !== undefined || fields.some(isFilled),
);

/** For a form with a text that the user changes. */
export const leaveChangedForm = listener((_form, fields) => fields.some(isChanged));
