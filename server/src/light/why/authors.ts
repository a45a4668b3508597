import type { WhyLayer } from '../../../../contract/light/why.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Static } from 'typebox';
import { followedAt, type Inputs, type InForce } from './layers.ts';
import { findAssigner, findExceptionAuthors, type Author, type WhyCommand } from './why.store.ts';

/** Who is behind what is asked of a lamp. */
interface Authors {
  readonly assigner: Author | undefined;
  readonly exceptions: Awaited<ReturnType<typeof findExceptionAuthors>>;
  readonly commands: ReadonlyMap<number, WhyCommand>;
}
type Layer = Static<typeof WhyLayer>;

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Who is behind what is asked of a lamp in the lighting day of an instant. */
export async function loadAuthors(
  db: Db,
  id: number,
  { inputs: { own }, at, commands }: { readonly inputs: Inputs; readonly at: number } & Pick<Authors, 'commands'>,
): Promise<Authors> {
  const from = own ? followedAt(own, at)?.from : undefined;
  const asked = own?.exceptions.map((exception) => exception.id) ?? [];
  const [assigner, exceptions] = await Promise.all([
    from === undefined ? undefined : findAssigner(db, id, from),
    findExceptionAuthors(db, asked),
  ]);
  return { assigner, exceptions, commands };
}

/** The layers with who is behind them, the strongest first. */
export function layersBy({ trace, layer: deciding }: InForce, { assigner, exceptions, commands }: Authors): Layer[] {
  const decides = trace.findLastIndex(({ applies, input }) => applies && input.layer === deciding);
  return trace
    .map(({ input, applies, after }, index): Layer => {
      const { source, layer, op, value } = input;
      const { type, id: of, label, version } = source;
      const command = type === 'command' ? commands.get(of) : undefined;
      const exception = type === 'exception' ? exceptions.get(of) : undefined;
      const isPlan = type === 'scheme' || type === 'schedule' || type === 'template';
      const author = command ?? exception ?? (isPlan ? assigner : undefined);
      return {
        layer,
        applies,
        decides: index === decides,
        op,
        value,
        level: after,
        ref: type === null ? null : { type, id: of, label, version },
        by: author?.by ?? null,
        approvedBy: author?.approvedBy ?? null,
        since: iso(source.since),
        until: iso(source.until),
        reason: command?.reason ?? exception?.reason ?? null,
      };
    })
    .toReversed();
}
