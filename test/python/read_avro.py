"""Reads Avro files with a schema of the reader: read_avro.py SCHEMA FILE... Prints the records as JSON, a line each."""
import json
import sys
import warnings

import avro.datafile
import avro.io
import avro.schema

# The logical type of Iceberg's maps is not one of Avro's own.
warnings.filterwarnings('ignore')
with open(sys.argv[1], encoding='utf-8') as file:
    schema = avro.schema.parse(file.read())
for name in sys.argv[2:]:
    with open(name, 'rb') as file:
        for record in avro.datafile.DataFileReader(file, avro.io.DatumReader(readers_schema=schema)):
            print(json.dumps(record, default=lambda value: value.hex(), separators=(',', ':')))
