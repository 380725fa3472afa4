import type { Part } from '../recipe/recipe.ts';

/**
 * Column names in other languages: French, Spanish, German, Dutch, Swedish, Norwegian, Danish, Finnish, Icelandic, and
 * some in Polish, Czech and Hungarian. They are in lower case and have no marks on letters (å is a, ø is o, ð is d). A
 * row is a field; a phrase is a whole name.
 */
export const fieldWords: Readonly<Record<Part, Readonly<Record<string, string>>>> = {
  products: {
    sku: 'numero, code produit, codigo, artikelnummer, artikelnr, nr, artikel nr, varenummer, varenr, tuotenumero, vorunumer, produktnummer, articulo',
    source_name:
      'nom, nom du produit, nombre, producto, name, bezeichnung, produktname, naam, namn, varenavn, navn, produktnavn, nimi, tuote, nafn, heiti',
    size_ml:
      'volume, format, contenance, volumen, contenido, inhalt, inhoud, volym, volymiml, volum, storrelse, pullokoko, koko, tilavuus, rummal, magn, stor, bottled volume, bottle volume ml',
    pack_count: 'colis, unidades, stuck, aantal, antal, antall, kpl, fjoldi, pakke',
    price_minor:
      'prix, precio, preis, prijs, pris, prisinklmoms, hinta, verd, regular price, current price, state bottle retail, bottle retail',
    status_code: 'statut, estado, estatus, statuskode, tila, stada',
    alcohol_by_volume:
      'strength, alk, degre, degre alcool, titre alcoometrique, graduacion, graduacion alcoholica, moc, moc vol, alkohol, alkoholi, alkohol prosentti, alkoholprosent, alkoholhalt, alcool, grado alcoholico, volumenprozent, zawartosc alkoholu, afengi',
    producer:
      'erzeuger, weingut, produsent, producent, valmistaja, producteur, productor, hersteller, framleidandi, produttore',
    country_of_origin:
      'land, herkunft, ursprungsland, ursprunglandnamn, pays, pays d origine, pais, valmistusmaa, herkunftsland, kraj',
    vintage: 'argang, vuosikerta, millesime, anada, jahrgang, rocznik',
    gtin: 'ean koodi, streckkod, strekkode, code barres, codigo de barras',
    category_id:
      'varegruppe, rubro, famille, categorie, categoria, kategorie, warengruppe, varugrupp, varetype, kategori, tyyppi, flokkur',
  },
  stores: {
    inventory_store_code:
      'succursale, sucursal, sklep, prodejna, uzlet, magasin, tienda, filiale, winkel, butik, butikk, butiksnummer, myymala, verslun, agency id',
    name: 'nom, nombre, bezeichnung, naam, namn, navn, butikknavn, butiksnamn, nimi, nafn, dba',
    'address.line1': 'adresse, direccion, strasse, adres, gatuadress, gateadresse, osoite, heimilisfang, calle, rue',
    'address.city':
      'ville, ciudad, ort, stadt, plaats, stad, postort, gate poststed, poststed, by, kaupunki, postitoimipaikka, stadur',
    'address.region': 'region, provincia, bundesland, provincie, lan, fylke, maakunta, landshluti',
    'address.postal_code':
      'code postal, codigo postal, plz, postleitzahl, postcode, postnummer, gate postnummer, postinumero, postnumer',
    phone: 'telephone, telefono, telefon, telefoon, telefonnummer, puhelin, simi, agency phone',
    'location.latitude': 'latitud, breitengrad, breedtegraad, gps breddegrad, breddegrad, leveysaste, breiddargrada',
    'location.longitude': 'longitud, langengrad, lengtegraad, gps lengdegrad, lengdegrad, pituusaste, lengdargrada',
  },
  inventory: {
    sku: 'numero, code produit, codigo, artikelnummer, varenummer, tuotenumero, vorunumer, product id',
    store:
      'succursale, sucursal, sklep, prodejna, uzlet, magasin, tienda, filiale, winkel, butik, butikk, myymala, verslun',
    quantity:
      'quantite, qte, ilosc, stan, skladem, keszlet, cantidad, menge, bestand, aantal, voorraad, antal, lagersaldo, antall, lager, maara, saldo, magn, birgdir, available units',
  },
};

/** Splits `itemCode`, `item_code` and `ITEM #`. Words are in lower case and have no marks on letters. */
export function columnWords(name: string): string {
  const separate = name.replace(/(\p{Ll})([\p{Lu}\d])/gu, '$1 $2').replaceAll('#', ' no ');
  const plain = separate
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[øðþæß]/g, (letter) => others[letter] ?? '');
  return plain.replace(/[^a-z0-9]+/g, ' ').trim();
}

const others: Readonly<Record<string, string>> = { ø: 'o', ð: 'd', þ: 'th', æ: 'ae', ß: 'ss' };
