/** What a surface shows, with everything resolved: the input of the templates. */

export const TEXT_STYLES = ['h1', 'h2', 'h3', 'h4', 'h5', 'caption', 'body'] as const;
export const IMAGE_SIZES = ['icon', 'avatar', 'smallFeature', 'mediumFeature', 'largeFeature', 'header'] as const;
export const BUTTON_STYLES = ['default', 'primary', 'borderless'] as const;
export const JUSTIFY = ['start', 'center', 'end', 'spaceBetween', 'spaceAround', 'spaceEvenly', 'stretch'] as const;
export const ALIGN = ['stretch', 'start', 'center', 'end'] as const;
export const FIELDS = ['shortText', 'longText', 'number', 'date', 'obscured'] as const;

/** What a press does: it tells the agent, it is a link, or nothing that is known here. */
export type Press =
  | { readonly kind: 'event'; readonly name: string; readonly context: Readonly<Record<string, unknown>> }
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'none' };

interface Base {
  /** Unique in its surface, and the same from one update to the next. */
  readonly key: string;
  /** The component's id. */
  readonly id: string;
  /** Its share of the row that it stands in. */
  readonly weight: number;
}
interface Input {
  readonly label: string;
  /** Where what is entered goes; undefined stays with the input. */
  readonly path: string | undefined;
  /** What is wrong with what was entered. */
  readonly problem: string;
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

/** A component without the place where it stands. */
export type Shape =
  | { readonly type: 'Text'; readonly text: string; readonly style: (typeof TEXT_STYLES)[number] }
  | { readonly type: 'Image'; readonly url: string; readonly alt: string; readonly size: (typeof IMAGE_SIZES)[number] }
  | { readonly type: 'Icon'; readonly name: string; readonly label: string }
  | { readonly type: 'Media'; readonly kind: 'audio' | 'video'; readonly url: string; readonly label: string }
  | ({ readonly type: 'Row' | 'Column' } & Box)
  | { readonly type: 'List'; readonly horizontal: boolean; readonly children: readonly UiNode[] }
  | { readonly type: 'Card'; readonly children: readonly UiNode[] }
  | { readonly type: 'Divider'; readonly vertical: boolean }
  | {
      readonly type: 'Tabs';
      readonly tabs: readonly { readonly title: string; readonly child: UiNode | undefined }[];
    }
  | { readonly type: 'Modal'; readonly label: string; readonly content: UiNode | undefined }
  | {
      readonly type: 'Button';
      readonly label: string;
      readonly icon: string;
      readonly style: (typeof BUTTON_STYLES)[number];
      readonly press: Press;
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
      readonly value: string;
      readonly kind: 'date' | 'time' | 'datetime-local';
    } & Input)
  | ({
      readonly type: 'ChoicePicker';
      readonly value: readonly string[];
      readonly options: readonly Option[];
      readonly several: boolean;
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

export type UiNode = Base & Shape;
export type NodeOf<T extends UiNode['type']> = Extract<UiNode, { readonly type: T }>;
