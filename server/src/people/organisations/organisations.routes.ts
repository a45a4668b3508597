import { findOrganisations, getOrganisationContents } from '../../../../contract/people/organisations.ts';
import {
  deleteOrganisations,
  listOrganisations,
  moveOrganisations,
  saveOrganisation,
} from '../../../../contract/specified/organisations.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Organisations } from './organisations.service.ts';

export function organisationsRoutes(organisations: Organisations): Binding[] {
  return [
    bind(listOrganisations, ({ query }, { caller }) => organisations.list(caller, query.parentId ?? 0)),
    bind(saveOrganisation, ({ body }, { caller, change }) => organisations.save(caller, change, body), {
      rules: ({ body = {} }) => organisations.problems(body),
    }),
    bind(
      moveOrganisations,
      ({ body }, { caller, change, language }) => organisations.move(caller, change, body, language),
      { rules: ({ body = [] }) => organisations.dropProblems(body) },
    ),
    bind(deleteOrganisations, ({ body }, { change, language }) => organisations.remove(change, body, language), {
      rules: 'none',
    }),
    bind(findOrganisations, ({ query }) => organisations.find(query.name, query.size)),
    bind(getOrganisationContents, ({ params }, { caller }) => organisations.contents(caller, params.id)),
  ];
}
