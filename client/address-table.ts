import { type AddressKind, addressTable as whole } from '../contract/addresses.ts';

/*
 * The part of the table of addresses that the client needs. A bundle contains the value of this constant instead of the
 * module, so that it does not load the schemas of every document (generator/page/client-bundle.ts).
 */

const kinds = Object.keys(whole) as AddressKind[];

/** The path of each kind of address, with its parameters in braces. */
export const templates = Object.fromEntries(kinds.map((kind) => [kind, whole[kind].path])) as Readonly<
  Record<AddressKind, string>
>;
