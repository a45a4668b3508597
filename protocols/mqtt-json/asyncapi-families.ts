import { namesIn, type Family, type Quantity } from '../../catalogue/index.ts';

type Json = Record<string, unknown>;

const names = namesIn('en-US');
/** The key of a family as the name of its schema. */
export const pascal = (key: string) =>
  key
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** What a family may report: names, units, ranges. */
export function valuesOf(family: Family): Json {
  return {
    type: 'object',
    title: names.family(family.key),
    description: `Quantities of the family \`${family.key}\`. A value outside its range is kept apart as rejected and never shown as measured.`,
    properties: Object.fromEntries(family.quantities.map((quantity) => [quantity.key, quantityOf(quantity)])),
    examples: [family.exampleReading],
  };
}

function quantityOf(quantity: Quantity): Json {
  const description = names.quantity(quantity.key);
  if (quantity.kind === 'boolean') return { type: ['boolean', 'null'], description };
  if (quantity.kind === 'enum') return { type: ['string', 'null'], enum: [...quantity.options, null], description };
  const unit = names.unit(quantity.unit);
  const only = quantity.cumulative ? '; a counter: it only grows' : '';
  return {
    type: ['number', 'null'],
    minimum: quantity.min,
    maximum: quantity.max,
    description: `${description}${unit ? `, ${unit}` : ''}${only}`,
  };
}

/** A family in the guide: its commands, how often it reports. */
export function familyText(family: Family): string {
  const commands = family.commands
    .map(
      (command) =>
        `\`${command.key}\`${command.args.length > 0 ? ` {${command.args.map((field) => field.key).join(', ')}}` : ''}`,
    )
    .join(', ');
  return `- **${names.family(family.key)}** (\`${family.key}\`): commands ${commands}; reports every ${family.report?.lit ?? 0} s while lit, every ${family.report?.unlit ?? 0} s otherwise, and on every change.`;
}
