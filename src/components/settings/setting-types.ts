/** Types of settings that belong to one part of the widget: the model picker, the autocomplete and the launcher. */
import type { IconDrawing } from '../../primitives/custom-icons.ts';

/** A model that the user may choose. */
export interface ModelOption {
  /** The id that is sent to the agent. */
  readonly id: string;
  readonly label: string;
}

/** A command or mention that the composer's autocomplete suggests. */
export interface AutocompleteItem {
  /** The text after `/` or `@`. */
  readonly name: string;
  readonly description?: string;
}

/** A list of suggestions, or a function that searches them. `signal` aborts the search for an outdated query. */
export type AutocompleteSource =
  | readonly AutocompleteItem[]
  | ((
      query: string,
      options: { readonly signal: AbortSignal },
    ) => readonly AutocompleteItem[] | Promise<readonly AutocompleteItem[]>);

/** Icon and timing of the launcher. */
export interface LauncherSettings {
  /** The icon: the name of a built-in icon, or an SVG drawing. Use the slot `launcher` for any other content. */
  readonly icon?: IconDrawing;
  /** Milliseconds until the teaser, the message next to the launcher, appears. Default 0. */
  readonly teaserDelay?: number;
  /**
   * Opens the panel automatically: `true` immediately, a number after that many milliseconds. It does not open on phones, where it
   * would cover the page, nor after the user has closed it. Default `false`.
   */
  readonly autoOpen?: boolean | number;
}
