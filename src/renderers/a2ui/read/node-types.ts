/** The node types of a surface with all values resolved: the input of the templates. */

export const TEXT_STYLES = ['h1', 'h2', 'h3', 'h4', 'h5', 'caption', 'body'] as const;
export const IMAGE_SIZES = ['icon', 'avatar', 'smallFeature', 'mediumFeature', 'largeFeature', 'header'] as const;
export const IMAGE_FITS = ['default', 'contain', 'cover', 'fill', 'none', 'scaleDown'] as const;
export const BUTTON_STYLES = ['default', 'primary', 'borderless'] as const;
export const JUSTIFY = ['start', 'center', 'end', 'spaceBetween', 'spaceAround', 'spaceEvenly', 'stretch'] as const;
export const ALIGN = ['stretch', 'start', 'center', 'end'] as const;
export const FIELDS = ['shortText', 'longText', 'number', 'date', 'obscured'] as const;

/** The effect of a button press: an event for the agent, a link, or nothing for unknown actions. */
export type PressAction =
  | {
      readonly kind: 'event';
      readonly name: string;
      readonly context: Readonly<Record<string, unknown>>;
      /** Data paths of the context values, by name. The inputs bound to these paths provide their labels. */
      readonly paths: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'none' };

interface Base {
  /** Unique in its surface and stable across updates. */
  readonly key: string;
  /** The id of the component. */
  readonly id: string;
  /** Its flex weight in the row. */
  readonly weight: number;
  /** The accessible name, if it is not the visible text: `accessibility.label`. */
  readonly ariaName: string;
  /** `accessibility.description` */
  readonly ariaHint: string;
}
interface Input {
  readonly label: string;
  /** The data path of the input; if undefined, the value stays in the widget. */
  readonly path: string | undefined;
  /** The message of the first failed check; a space if the agent sent none, empty if the value is valid. */
  readonly problem: string;
  /** Whether a check requires a value. */
  readonly required: boolean;
}
export interface Option {
  readonly label: string;
  readonly value: string;
}
interface Box {
  readonly children: readonly UiNode[];
  readonly justify: (typeof JUSTIFY)[number];
  readonly align: (typeof ALIGN)[number];
}

/** A component without its position in the tree. */
export type NodeShape =
  | {
      readonly type: 'Text';
      readonly text: string;
      readonly style: (typeof TEXT_STYLES)[number];
      /** Whether it is not rendered as Markdown, since the surface has too much of it. */
      readonly isPlain: boolean;
    }
  | {
      readonly type: 'Image';
      readonly url: string;
      readonly alt: string;
      readonly size: (typeof IMAGE_SIZES)[number];
      readonly fit: (typeof IMAGE_FITS)[number];
    }
  | ({ readonly type: 'Icon'; readonly label: string } & { readonly name: string; readonly drawing: string })
  | {
      readonly type: 'Media';
      readonly kind: 'audio' | 'video';
      readonly url: string;
      readonly poster: string;
      readonly label: string;
    }
  | ({ readonly type: 'Row' | 'Column' } & Box)
  | {
      readonly type: 'List';
      readonly horizontal: boolean;
      readonly align: (typeof ALIGN)[number];
      readonly children: readonly UiNode[];
    }
  | { readonly type: 'Card'; readonly children: readonly UiNode[] }
  | { readonly type: 'Divider'; readonly vertical: boolean }
  | {
      readonly type: 'Tabs';
      readonly tabs: readonly { readonly title: string; readonly child: UiNode | undefined }[];
    }
  | {
      readonly type: 'Modal';
      readonly trigger: UiNode | undefined;
      readonly label: string;
      readonly content: UiNode | undefined;
    }
  | {
      readonly type: 'Button';
      /** The visible text; empty if the button shows only an icon or an image. */
      readonly label: string;
      readonly ariaName: string;
      readonly icon: string;
      readonly drawing: string;
      readonly image: UiNode | undefined;
      readonly style: (typeof BUTTON_STYLES)[number];
      readonly press: PressAction;
      readonly problem: string;
    }
  | ({
      readonly type: 'TextField';
      readonly value: string;
      readonly placeholder: string;
      readonly kind: (typeof FIELDS)[number];
    } & Input)
  | ({ readonly type: 'CheckBox'; readonly value: boolean } & Input)
  | ({
      readonly type: 'DateTimeInput';
      /** In the format of the HTML input. */
      readonly value: string;
      /** As it is in the data: from the agent, or from `isoDate` after a change of the user. */
      readonly dataValue: string;
      readonly min: string;
      readonly max: string;
      readonly kind: 'date' | 'time' | 'datetime-local';
    } & Input)
  | ({
      readonly type: 'ChoicePicker';
      readonly value: readonly string[];
      readonly options: readonly Option[];
      readonly several: boolean;
      readonly style: 'list' | 'chips' | 'drop-down';
      readonly filterable: boolean;
    } & Input)
  | ({
      readonly type: 'Slider';
      readonly value: number;
      readonly min: number;
      readonly max: number;
      readonly step: number | undefined;
    } & Input)
  | {
      readonly type: 'Unknown';
      readonly name: string;
      readonly props: Readonly<Record<string, unknown>>;
      readonly children: readonly UiNode[];
    };

export type UiNode = Base & NodeShape;
export type NodeOf<T extends UiNode['type']> = Extract<UiNode, { readonly type: T }>;
