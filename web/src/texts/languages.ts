// Written by tools/wire_types.py from smalti.server.table.terms. Do not edit.
export const languages = ["en", "de", "fr", "hu", "nl", "pl"] as const;
export type Language = (typeof languages)[number];
