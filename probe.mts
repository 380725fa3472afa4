import {Workshop} from './generator/pipeline/workshop.ts';
import {planBuild} from './generator/pipeline/plan.ts';
import {runJob} from './generator/pipeline/jobs.ts';
import {Catalog} from './generator/model/catalog.ts';
import {makeSmallDocuments} from './generator/pipeline/in-thread.ts';
import {rmSync} from 'node:fs';
let t=performance.now();
const w=new Workshop({database:'/dev/shm/u.sqlite',sequence:50,revision:'x',out:'/dev/shm/probe',baseUrl:null});
const c=new Catalog(w.state);console.log('catalog',performance.now()-t);t=performance.now();
const plan=planBuild(w,c,[w.state.publication],{routes:new Map(),cache:null});
console.log('plan',performance.now()-t);t=performance.now();
makeSmallDocuments(w,c,[w.state.publication]);console.log('small',performance.now()-t);
const only=process.argv[2];const by:any={};
for(const j of plan.jobs){if(only&&j.kind!==only)continue;t=performance.now();const b0=w.made.bytes,r0=w.made.routes.length;runJob(w,j);const k=j.kind+((j as any).resource??'');by[k]??={ms:0,bytes:0,routes:0,n:0};by[k].ms+=performance.now()-t;by[k].bytes+=w.made.bytes-b0;by[k].routes+=w.made.routes.length-r0;by[k].n++;}
console.table(by);
