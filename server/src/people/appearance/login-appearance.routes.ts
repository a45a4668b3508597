import {
  createLoginAppearance,
  deleteLoginAppearance,
  listLoginAppearances,
  updateLoginAppearance,
} from '../../../../contract/people/login-appearances.ts';
import { getLoginAppearance } from '../../../../contract/specified/sign-in.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { LoginAppearances } from './login-appearance.service.ts';

/** The id under which every page asks for its own appearance (specified 1.15). */
const ownId = 1;

export const loginAppearanceRoutes = (appearances: LoginAppearances): Binding[] => [
  bind(getLoginAppearance, async ({ params: { id } }, { language, host }) => {
    const { name, logo, title, icon, company } = await (id === ownId
      ? appearances.ofHost(host, language)
      : appearances.byId(id, language));
    return { code: 0 as const, data: { name, logo, title, ico: icon, ...(company ? { company: true as const } : {}) } };
  }),
  bind(listLoginAppearances, async (_input, { language }) => {
    const data = await appearances.list(language);
    return { data, recordsTotal: data.length };
  }),
  bind(
    createLoginAppearance,
    ({ body }, { change, language }) =>
      appearances.create((work) => change({ action: 'appearance.create' }, work), body, language),
    { rules: ({ body = {} }) => appearances.problems(undefined, body) },
  ),
  bind(
    updateLoginAppearance,
    ({ params: { id }, body }, { change, language }) =>
      appearances.update((work) => change({ action: 'appearance.update' }, work), id, body, language),
    { rules: ({ params, body = {} }) => (params?.id === undefined ? [] : appearances.problems(params.id, body)) },
  ),
  bind(deleteLoginAppearance, ({ params: { id } }, { change }) =>
    appearances.remove((work) => change({ action: 'appearance.delete' }, work), id),
  ),
];
