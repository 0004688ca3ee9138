/** Data for editors: custom data of VS Code, web-types of the JetBrains editors. */
import type { Attribute, CustomElement } from 'custom-elements-manifest/schema';

/** The values of an attribute whose type is a union of strings. */
const valuesOf = ({ type }: Attribute): readonly string[] =>
  [...(type?.text.matchAll(/'([^']+)'/g) ?? [])].map(([, word = '']) => word);

/** Source: https://github.com/microsoft/vscode-custom-data, version 1.1. */
export const vscodeData = (elements: readonly CustomElement[]): object => ({
  version: 1.1,
  tags: elements.map(({ tagName, description, attributes = [] }) => ({
    name: tagName,
    description,
    attributes: attributes.map((attribute) => ({
      name: attribute.name,
      description: attribute.description,
      ...(attribute.type?.text === 'boolean' && { valueSet: 'v' }),
      ...(valuesOf(attribute).length > 0 && { values: valuesOf(attribute).map((name) => ({ name })) }),
    })),
  })),
});

/** Source: https://github.com/JetBrains/web-types. */
export const webTypes = (
  elements: readonly CustomElement[],
  { name, version }: { readonly name: string; readonly version: string },
): object => ({
  $schema: 'https://json.schemastore.org/web-types',
  name,
  version,
  'description-markup': 'markdown',
  contributions: {
    html: {
      elements: elements.map((element) => ({
        name: element.tagName,
        description: element.description,
        attributes: (element.attributes ?? []).map(({ name, description, type, default: initial }) => ({
          name,
          description,
          ...(initial !== undefined && { default: initial }),
          value: { type: type?.text ?? 'string' },
        })),
        slots: (element.slots ?? []).map(({ name, description }) => ({ name, description })),
        js: {
          properties: (element.members ?? [])
            .filter((member) => member.kind === 'field' && member.static !== true)
            .map(({ name, description }) => ({ name, description })),
          events: (element.events ?? []).map(({ name, description }) => ({ name, description })),
        },
        css: {
          parts: (element.cssParts ?? []).map(({ name, description }) => ({ name, description })),
          properties: (element.cssProperties ?? []).map(({ name, description }) => ({ name, description })),
        },
      })),
    },
  },
});
