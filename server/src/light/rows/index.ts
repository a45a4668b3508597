export { rolesOf } from './roles.store.ts';
