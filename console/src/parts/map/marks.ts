import { mapStates } from '../../../../contract/device-map.ts';
import type { DeviceField } from './device-field.ts';
import { severity } from './lamp-field.ts';

/** What is drawn: one mark a place, the worst last so that it lies on top. */
export interface Marks {
  readonly count: number;
  /** How many of them are well: the first ones. */
  readonly well: number;
  /** x, y in local units. */
  readonly positions: Float32Array;
  /** Index into mapStates of the worst at the place, + 8 where something of it is selected. */
  readonly looks: Float32Array;
  /** Index of the family whose picture stands there, + 32 × how many devices (at most 10) it stands for. */
  readonly kinds: Float32Array;
}

/** How bad each of the map's states is; what is in use and says nothing is well. */
const badness = mapStates.map((_, index) => severity[index] ?? 0);
const worst = Math.max(...badness);

interface Stack {
  head: number;
  state: number;
  count: number;
  selected: boolean;
}

/** One mark a place of what is visible: the picture of its first device (the pole), the state of its worst. */
export function marksOf(field: DeviceField): Marks {
  const stacks: (Stack | undefined)[] = new Array<Stack | undefined>(field.size);
  const heads: number[] = [];
  for (let index = 0; index < field.size; index++) {
    if (!field.visible[index]) continue;
    const place = field.places[index]!;
    const stack = stacks[place];
    if (stack === undefined) {
      stacks[place] = { head: index, state: field.states[index]!, count: 1, selected: field.selected[index] === 1 };
      heads.push(place);
      continue;
    }
    stack.count++;
    stack.selected ||= field.selected[index] === 1;
    if (moreTelling(field.states[index]!, stack.state)) stack.state = field.states[index]!;
  }
  return inOrder(
    field,
    heads.map((place) => stacks[place]!),
  );
}

const inUse = mapStates.indexOf('inUse');
const isWell = (state: number): boolean => badness[state] === 0;
/** The worse state counts; beside a pole that says nothing, any state does. */
const moreTelling = (state: number, than: number): boolean =>
  badness[state]! > badness[than]! || (than === inUse && isWell(state));

function inOrder(field: DeviceField, stacks: readonly Stack[]): Marks {
  const marks = {
    count: stacks.length,
    well: stacks.filter(({ state }) => isWell(state)).length,
    positions: new Float32Array(stacks.length * 2),
    looks: new Float32Array(stacks.length),
    kinds: new Float32Array(stacks.length),
  };
  let at = 0;
  for (let bad = 0; bad <= worst; bad++) {
    for (const { head, state, count, selected } of stacks) {
      if (badness[state] !== bad) continue;
      marks.positions[at * 2] = field.positions[head * 2]!;
      marks.positions[at * 2 + 1] = field.positions[head * 2 + 1]!;
      marks.looks[at] = state + (selected ? 8 : 0);
      marks.kinds[at] = field.families[head]! + 32 * Math.min(count, 10);
      at++;
    }
  }
  return marks;
}
